; kernel
@table = internal global [2 x ptr] [ptr @kernel, ptr @other]
@kernel.name = constant i32 1
define void @kernel(i32 %more) #0 {
  %call4 = call i32 @__emu_launch(ptr @kernel, ptr %call, i64 %8, i32 1, i64 %12, i32 1, i32 16, ptr null) #5
  ret void
}
define void @parent() #0 {
  store ptr @kernel, ptr %place, align 8
  store ptr @kernel.name, ptr %place, align 8
  ret void
}
