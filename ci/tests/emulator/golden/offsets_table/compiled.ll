; kernel
target triple = "x86_64-unknown-linux-gnu"
define dso_local void @kernel(i8 signext %letter, ptr byval(%struct.big) align 8 %big, ptr %x) #0 {
  ret void
}
define dso_local void @parent(ptr %x) #0 {
entry:
  %call = call ptr @__emu_parameters(i64 64, i64 40) #5, !dbg !34
  %0 = icmp ne ptr %call, null, !dbg !34
  br i1 %0, label %dkcall.configok, label %dkcall.end, !dbg !34
dkcall.configok:
  %1 = getelementptr inbounds i8, ptr %call, i64 0, !dbg !34
  store i8 1, ptr %1, align 64, !dbg !34
  %2 = getelementptr inbounds i8, ptr %call, i64 1, !dbg !34
  %3 = getelementptr inbounds i8, ptr %call, i64 4, !dbg !34
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %3, ptr align 4 %agg.tmp, i64 20, i1 false), !dbg !34
  %4 = getelementptr inbounds i8, ptr %call, i64 24, !dbg !34
  store ptr %x, ptr %4, align 8, !dbg !34
  %call4 = call i32 @__emu_launch(ptr @kernel, ptr %call, i64 %8, i32 1, i64 %12, i32 1, i32 16, ptr null) #5, !dbg !34
  br label %dkcall.end, !dbg !34
dkcall.end:
  ret void
}
