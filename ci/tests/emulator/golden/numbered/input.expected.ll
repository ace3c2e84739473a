define void @kernel(i32 %n) {
  %1 = call i32 @__emu_barrier(i32 0, i32 %n, ptr @.str, i32 7, i32 1) #1, !dbg !2
  %2 = call i32 @__emu_active_lanes(ptr @.str, i32 8, i32 2) #1, !dbg !2
  call void @__emu_group_barrier(i32 2, ptr getelementptr (i8, ptr @.str, i64 1), i32 7, i32 3) #1, !dbg !2
  call void @__emu_warp_barrier(i32 -1, ptr @.str, i32 9) #1, !dbg !2
  ret void
}
declare i32 @__emu_barrier(i32, i32, ptr, i32, i32) #2
