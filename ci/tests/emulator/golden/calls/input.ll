define void @kernel(ptr %f) {
  call void @middle(ptr %f)
  ret void
}
define void @middle(ptr %f) {
  %a = call noundef range(i32 0, 5) i32 %f(i32 1)
  ret void
}
define i32 @pointed(i32 %x) {
  %a = call ptr @__emu_shared(i32 3)
  ret i32 0
}
define void @not_reached() {
  %a = call ptr @__emu_shared(i32 4)
  ret void
}
@functions = constant [1 x ptr] [ptr @pointed]
