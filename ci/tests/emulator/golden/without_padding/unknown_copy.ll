; expects: cases.cu:7: the rewrite "without_padding" does not know this form: notail call void @llvm.memcpy
define void @kernel(ptr %x, ptr %y) {
  notail call void @llvm.memcpy.p0.p0.i64(ptr align 4 %x, ptr align 4 %y, i64 4, i1 false), !dbg !2, !tbaa.struct !8
  ret void
}
!0 = !DIFile(filename: "/home/me/cases.cu", directory: "/")
!1 = distinct !DISubprogram(name: "kernel", scope: !0, file: !0, line: 5)
!2 = !DILocation(line: 7, column: 3, scope: !1)
!3 = !DILocation(line: 8, column: 3, scope: !1)
!8 = !{}
