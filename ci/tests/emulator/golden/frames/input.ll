define void @kernel(i32 %n) {
  %a = alloca [4 x i32], align 16
  %b = alloca i32, align 4
  %"c d" = alloca %struct.pair, align 8
  %e = alloca <{ i8, i32 }>, align 1
  %f = alloca <4 x float>, align 16
  %g = alloca i32, i32 %n, align 4
  %h = alloca ptr, align 8
  ret void
}
