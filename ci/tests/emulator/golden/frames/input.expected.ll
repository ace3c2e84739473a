define void @kernel(i32 %n) {
  %a = alloca [4 x i32], align 16
  call void @__emu_frame(ptr captures(none) %a)
  %b = alloca i32, align 4
  %"c d" = alloca %struct.pair, align 8
  call void @__emu_frame(ptr captures(none) %"c d")
  %e = alloca <{ i8, i32 }>, align 1
  call void @__emu_frame(ptr captures(none) %e)
  %f = alloca <4 x float>, align 16
  %g = alloca i32, i32 %n, align 4
  call void @__emu_frame(ptr captures(none) %g)
  %h = alloca ptr, align 8
  ret void
}

declare void @__emu_frame(ptr captures(none)) nounwind memory(inaccessiblemem: readwrite)
