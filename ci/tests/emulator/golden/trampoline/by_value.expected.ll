
@__emu_sizes0 = constant [3 x i32] [i32 ptrtoint (ptr getelementptr (%struct.big, ptr null, i32 1) to i32), i32 1, i32 -1]
@__emu_pointers0 = constant [1 x i32] [i32 -1]
define void @__emu_trampoline0(ptr %a) {
  %p0 = getelementptr ptr, ptr %a, i32 0
  %q0 = load ptr, ptr %p0
  call void @"kernel"(ptr byval(%struct.big) align 4 %q0)
  ret void
}
