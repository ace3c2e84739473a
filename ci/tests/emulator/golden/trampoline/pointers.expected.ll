
@__emu_sizes0 = constant [3 x i32] [i32 ptrtoint (ptr getelementptr (ptr, ptr null, i32 1) to i32), i32 ptrtoint (ptr getelementptr (%struct.big, ptr null, i32 1) to i32), i32 -1]
@__emu_pointers0 = constant [9 x i32] [i32 0, i32 0, i32 1, i32 ptrtoint (ptr getelementptr (%struct.big, ptr null, i32 0, i32 1, i32 0, i32 1) to i32), i32 1, i32 ptrtoint (ptr getelementptr (%struct.big, ptr null, i32 0, i32 1, i32 1, i32 1) to i32), i32 1, i32 ptrtoint (ptr getelementptr (%struct.big, ptr null, i32 0, i32 2) to i32), i32 -1]
define void @__emu_trampoline0(ptr %a) {
  %p0 = getelementptr ptr, ptr %a, i32 0
  %q0 = load ptr, ptr %p0
  %r0 = getelementptr i8, ptr %q0, i32 0
  %v0 = load ptr, ptr %r0, align 1
  %p1 = getelementptr ptr, ptr %a, i32 1
  %q1 = load ptr, ptr %p1
  call void @"kernel"(ptr %v0, ptr byval(%struct.big) align 8 %q1)
  ret void
}
