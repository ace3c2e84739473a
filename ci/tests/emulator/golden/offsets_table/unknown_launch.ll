; kernel
; expects: the rewrite "launches_in" does not know this form: %call4 = call i32 @__emu_launch(ptr @kernel, ptr %buffer)
define void @kernel(ptr %x) #0 {
  ret void
}
define void @parent(ptr %buffer) #0 {
  %call4 = call i32 @__emu_launch(ptr @kernel, ptr %buffer)
  ret void
}
