
@__emu_sizes0 = constant [5 x i32] [i32 ptrtoint (ptr getelementptr (ptr, ptr null, i32 1) to i32), i32 ptrtoint (ptr getelementptr (i32, ptr null, i32 1) to i32), i32 16, i32 ptrtoint (ptr getelementptr (i32, ptr null, i32 1) to i32), i32 -1]
@__emu_pointers0 = constant [3 x i32] [i32 0, i32 0, i32 -1]
define void @__emu_trampoline0(ptr %a) {
  %p0 = getelementptr ptr, ptr %a, i32 0
  %q0 = load ptr, ptr %p0
  %r0 = getelementptr i8, ptr %q0, i32 0
  %v0 = load ptr, ptr %r0, align 1
  %p1 = getelementptr ptr, ptr %a, i32 1
  %q1 = load ptr, ptr %p1
  %r1 = getelementptr i8, ptr %q1, i32 0
  %v1 = load i32, ptr %r1, align 1
  %p2 = getelementptr ptr, ptr %a, i32 2
  %q2 = load ptr, ptr %p2
  %r2 = getelementptr i8, ptr %q2, i32 0
  %v2 = load i64, ptr %r2, align 1
  %p3 = getelementptr ptr, ptr %a, i32 2
  %q3 = load ptr, ptr %p3
  %r3 = getelementptr i8, ptr %q3, i32 8
  %v3 = load i64, ptr %r3, align 1
  %p4 = getelementptr ptr, ptr %a, i32 3
  %q4 = load ptr, ptr %p4
  %r4 = getelementptr i8, ptr %q4, i32 0
  %v4 = load i32, ptr %r4, align 1
  call void @"kernel"(ptr %v0, i32 %v1, i64 %v2, i64 %v3, i32 %v4)
  ret void
}
