target triple = "x86_64-unknown-linux-gnu"
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 0, ptr @tsan.module_ctor, ptr null }]
define void @kernel(ptr %x, i32 %n, i32 %m) {
entry:
  call void @__tsan_func_entry(ptr %x)
  call void @__tsan_read4(ptr getelementptr inbounds nuw (i8, ptr @__emu_thread, i64 4)), !dbg !2
  call void @__tsan_read4(ptr nonnull %x), !dbg !2
  %a = load i32, ptr %x, align 4, !dbg !2, !tbaa !9
  call void @__tsan_read8(ptr %x), !dbg !2
  %b = load i64, ptr %x, align 8, !dbg !2
  call void @__tsan_read4(ptr %x), !dbg !3
  %bf.load = load i32, ptr %x, align 4, !dbg !3, !tbaa !9
  call void @__tsan_unaligned_write16(ptr getelementptr (i8, ptr @table, i64 sub (i64 0, i64 mul (i64 2, i64 4)))), !dbg !3
  store <4 x i32> zeroinitializer, ptr %x, align 4, !dbg !3
  call void @__tsan_volatile_read4(ptr %x), !dbg !3
  %c = load volatile i32, ptr %x, align 4, !dbg !3, !tbaa !9
  call void @__tsan_read_write4(ptr %x)
  store i32 0, ptr %x, align 4, !tbaa !9
  %wide = load <3 x i32>, ptr %x, align 8, !dbg !3, !tbaa !9
  store volatile i24 1, ptr %x, align 4, !dbg !3
  %d = sdiv exact i32 %n, %m, !dbg !3
  %e = urem i64 5, 3
  call void @sincosf(float 1.0, ptr nonnull %x, ptr getelementptr (i8, ptr @table, i64 4)), !dbg !3
  %g = call ptr @__tsan_memcpy(ptr align 4 %x, ptr @table, i64 16), !dbg !2
  %h = call ptr @__tsan_memset(ptr %x, i32 0, i64 16), !dbg !2
  call void @__emu_aligned(ptr %x, i32 4, i32 1, i32 0), !dbg !2
  %i = call float @sqrtf(float 2.0)
  ret void
}
declare void @__tsan_read4(ptr)
declare void @sincosf(float, ptr, ptr)
declare float @sqrtf(float)
define void @launches(ptr %kernel, ptr %buffer) #0 {
  %call = call i32 @__emu_launch(ptr %kernel, ptr %buffer, i64 1, i32 1, i64 1, i32 1, i32 0, ptr null) #5, !dbg !2
  ret void
}
!0 = !DIFile(filename: "/home/me/cases.cu", directory: "/")
!1 = distinct !DISubprogram(name: "kernel", scope: !0, file: !0, line: 5)
!2 = !DILocation(line: 7, column: 3, scope: !1)
!3 = !DILocation(line: 8, column: 3, scope: !1)
