define void @kernel(ptr %x) #0 {
entry:
  %a = call noalias ptr @__emu_device_malloc(i64 8) #1, !dbg !2
  call void @__emu_device_free(ptr %a) #1, !dbg !3
  call void @__emu_assert_fail(ptr %x, ptr %x, i32 3, ptr %x) #1, !dbg !3
  %b = call ptr @malloc_of_mine(i64 8)
  ret void
}
declare noalias ptr @__emu_device_malloc(i64) #7
