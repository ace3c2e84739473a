; kernel
target triple = "x86_64-unknown-linux-gnu"
%struct.big = type { i32, [2 x %struct.inner], ptr, [3 x double] }
%struct.inner = type <{ i8, ptr }>
define dso_local void @stub(ptr %x, ptr byval(%struct.big) align 8 %big) #0 {
entry:
  %x.addr = alloca ptr, align 8
  %kernel_args = alloca [2 x ptr], align 16
  store ptr %x, ptr %x.addr, align 8
  store ptr %x.addr, ptr %kernel_args, align 16
  %0 = getelementptr inbounds nuw i8, ptr %kernel_args, i64 8
  store ptr %big, ptr %0, align 8
  ret void
}
define dso_local void @kernel(ptr %x, ptr byval(%struct.big) align 8 %big) #0 {
  ret void
}
