define void @kernel(ptr %x) {
  call void @__emu_access(ptr nonnull %x, i32 4, i32 10, i32 1), !dbg !2
  %a = call i32 @direct(ptr %x, i32 (ptr)* null)
  ret void
}
