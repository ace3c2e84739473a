define void @kernel(ptr %x, ptr %y) {
  call void @__emu_aligned(ptr %x, i32 16, i32 1, i32 0), !dbg !2
  call void @__emu_aligned(ptr %y, i32 8, i32 0, i32 0), !dbg !2
  tail call void @llvm.memcpy.p0.p0.i64(ptr noundef nonnull align 16 dereferenceable(32) %x, ptr align 8 %y, i64 32, i1 false), !dbg !2, !tbaa.struct !9
  call void @__emu_aligned(ptr getelementptr inbounds nuw (i8, ptr @table, i64 4), i32 4, i32 0, i32 0)
  call void @llvm.memmove.p0.p0.i64(ptr align 1 %x, ptr align 4 getelementptr inbounds nuw (i8, ptr @table, i64 4), i64 32, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %y, i64 32, i1 true), !dbg !3
  call void @__emu_aligned(ptr captures(none) %x, i32 4, i32 1, i32 0), !dbg !3
  call void @llvm.memset.p0.i64(ptr align 4 %x, i8 0, i64 8, i1 false), !dbg !3
  ret void
}

declare void @__emu_aligned(ptr, i32, i32, i32)
