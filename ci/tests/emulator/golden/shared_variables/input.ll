@_ZZ1kPiE5tiles = internal global [4 x i32] undef, align 16
@"quoted name" = linkonce_odr dso_local global %struct.pair poison, comdat, align 8
@plain = dso_local externally_initialized global { i32, [4 x i8] } { i32 5, [4 x i8] undef }, align 8
@dynamic = external global [0 x i32], align 4
@_ZTVN10__cxxabiv1E = external global [0 x ptr]
define void @k(ptr %x) {
entry:
  %a = load i32, ptr getelementptr inbounds ([4 x i32], ptr @_ZZ1kPiE5tiles, i64 0, i64 2), align 8
  %b = add i64 sub (i64 ptrtoint (ptr @_ZZ1kPiE5tiles to i64), i64 3), 1
  store i32 %a, ptr @dynamic, align 4
  %c = phi ptr [ @"quoted name", %entry ], [ null, %other ]
  call void @_Z4takePi(ptr noundef @_ZZ1kPiE5tiles)
  ret void
}
define void @none() {
  ret void
}
