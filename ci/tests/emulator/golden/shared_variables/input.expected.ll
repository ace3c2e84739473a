

@plain = dso_local externally_initialized global { i32, [4 x i8] } { i32 5, [4 x i8] undef }, align 8

@_ZTVN10__cxxabiv1E = external global [0 x ptr]
define void @k(ptr %x) {
entry:
  %emu.s0.0 = call ptr @__emu_shared(i32 0)
  %emu.c1 = getelementptr inbounds [4 x i32], ptr %emu.s0.0, i64 0, i64 2
  %emu.c2 = ptrtoint ptr %emu.s0.0 to i64
  %emu.c3 = sub i64 %emu.c2, 3
  %emu.s1.4 = call ptr @__emu_shared(i32 1)
  %emu.sd.5 = call ptr @__emu_shared(i32 -1)
  %a = load i32, ptr %emu.c1, align 8
  %b = add i64 %emu.c3, 1
  store i32 %a, ptr %emu.sd.5, align 4
  %c = phi ptr [ %emu.s1.4, %entry ], [ null, %other ]
  call void @_Z4takePi(ptr noundef %emu.s0.0)
  ret void
}
define void @none() {
  ret void
}

declare ptr @__emu_shared(i32) #9999
attributes #9999 = { nounwind willreturn memory(none) }

@__emu_shared_variables = constant [3 x {i32, i32}] [{i32, i32} {i32 ptrtoint (ptr getelementptr ([4 x i32], ptr null, i32 1) to i32), i32 16}, {i32, i32} {i32 ptrtoint (ptr getelementptr (%struct.pair, ptr null, i32 1) to i32), i32 8}, {i32, i32} {i32 ptrtoint (ptr getelementptr (i8, ptr null, i32 1) to i32), i32 1}]
