define void @parent(ptr %x) #0 {
  %call = call ptr @__emu_parameters(i64 64, i64 48) #5, !dbg !34
  %1 = getelementptr inbounds i8, ptr %call, i64 0, !dbg !34
  store i8 1, ptr %1, align 64, !dbg !34
  %2 = getelementptr inbounds i8, ptr %call, i64 40, !dbg !34
  store ptr %x, ptr %2, align 8, !dbg !34
  %call5 = call ptr @__emu_parameters(i64 64, i64 256) #5
  %15 = getelementptr inbounds i8, ptr %call5, i64 0
  call void @llvm.memcpy.p0.p0.i64(ptr align 64 %15, ptr align 4 %agg.tmp, i64 256, i1 false)
  store i8 1, ptr %own, align 64
  ret void
}
define void @other(ptr %x) #0 {
  %1 = getelementptr inbounds i8, ptr %x, i64 0
  store i8 1, ptr %1, align 64
  ret void
}
