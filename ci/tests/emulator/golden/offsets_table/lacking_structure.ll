; kernel
; expects: a call of cudaLaunchDevice for a kernel that takes structures (kernel)
define void @kernel(ptr byval(%struct.big) align 8 %big) #0 {
  ret void
}
define void @parent(ptr %buffer) #0 {
  %call4 = call i32 @__emu_launch(ptr @kernel, ptr %buffer, i64 %8, i32 1, i64 %12, i32 1, i32 16, ptr null) #5
  ret void
}
