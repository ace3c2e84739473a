; expects: cases.cu:7: the rewrite "aligned_copies" does not know this form: call void @llvm.memcpy.element
define void @kernel(ptr %x, ptr %y) {
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 %x, ptr align 4 %y, i64 8, i32 4), !dbg !2
  ret void
}
!0 = !DIFile(filename: "/home/me/cases.cu", directory: "/")
!1 = distinct !DISubprogram(name: "kernel", scope: !0, file: !0, line: 5)
!2 = !DILocation(line: 7, column: 3, scope: !1)
!3 = !DILocation(line: 8, column: 3, scope: !1)
