; kernel
; expects: the rewrite "trampoline" does not know this form: define dso_local void @stub
target triple = "x86_64-unknown-linux-gnu"
define dso_local void @stub(ptr %x, i32 %n, i64 %pair.coerce0, i64 %pair.coerce1, i32 %0) #0 {
entry:
  %pair = alloca %struct.pair, align 8
  %x.addr = alloca ptr, align 8
  %n.addr = alloca i32, align 4
  %.addr = alloca i32, align 4
  %kernel_args = alloca [4 x ptr], align 16
  store ptr %x, ptr %x.addr, align 8
  store i32 %n, ptr %n.addr, align 4
  store i32 %0, ptr %.addr, align 4
  store ptr %x.addr, ptr %kernel_args, align 16
  %1 = getelementptr inbounds nuw i8, ptr %kernel_args, i64 8
  store volatile ptr %n.addr, ptr %1, align 8
  %2 = getelementptr inbounds nuw i8, ptr %kernel_args, i64 16
  store ptr %pair, ptr %2, align 16
  %3 = getelementptr inbounds nuw i8, ptr %kernel_args, i64 24
  store ptr %.addr, ptr %3, align 8
  ret void
}
define void @kernel(ptr %x) #0 {
  ret void
}
