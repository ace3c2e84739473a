target triple = "x86_64-unknown-linux-gnu"
define i32 @main(ptr %x, i64 %n) {
  %own = alloca i32, align 4
  store i32 7, ptr %own, align 4, !dbg !2
  %read = load i32, ptr %x, align 4, !dbg !2
  store double 1.0, ptr %x, align 8, !dbg !3
  %whole = load { i32, i32 }, ptr %x, align 4, !dbg !3
  %ordered = load atomic i32, ptr %x seq_cst, align 4, !dbg !3
  store volatile i32 1, ptr %x, align 4, !dbg !3
  store ptr %x, ptr @variable, align 8, !dbg !3
  store ptr %own, ptr %x, align 8, !dbg !3
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %own, ptr align 4 %x, i64 8, i1 false), !dbg !2
  call void @llvm.memset.p0.i32(ptr align 4 %x, i8 0, i32 16, i1 false), !dbg !3
  call void @llvm.memset.p0.i64(ptr align 4 %x, i8 0, i64 %n, i1 false), !dbg !3

  ret i32 %read
}
define void @without() {
  %own = alloca i32, align 4
  store i32 0, ptr %own, align 4
  ret void
}
!0 = !DIFile(filename: "/home/me/cases.cu", directory: "/")
!1 = distinct !DISubprogram(name: "main", scope: !0, file: !0, line: 5)
!2 = !DILocation(line: 7, column: 3, scope: !1)
!3 = !DILocation(line: 8, column: 3, scope: !1)
