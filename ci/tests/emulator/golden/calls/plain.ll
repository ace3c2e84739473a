define void @kernel(ptr %x) {
  call void @__emu_access(ptr %x, i32 4, i32 9, i32 1), !dbg !2
  %a = call ptr @__emu_shared(i32 0)
  %b = call %struct.pair @direct(ptr %x)
  ret void
}
