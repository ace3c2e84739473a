define void @kernel(ptr %x, ptr %y) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %x, ptr align 4 %y, i64 4, i1 false), !dbg !2, !tbaa.struct !9
  ret void
}
!8 = !{}
!9 = !{i64 0, i64 4, !8}
