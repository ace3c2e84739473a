; expects: cases.cu:5: the rewrite "all_checked" does not know this form: define void @kernel() !dbg !1 {
define void @kernel() !dbg !1 {
  ret void
}
!0 = !DIFile(filename: "/home/me/cases.cu", directory: "/")
!1 = distinct !DISubprogram(name: "kernel", scope: !0, file: !0, line: 5)
!2 = !DILocation(line: 7, column: 3, scope: !1)
!3 = !DILocation(line: 8, column: 3, scope: !1)
