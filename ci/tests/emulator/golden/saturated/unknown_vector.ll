; expects: cases.cu:7: the rewrite "saturated" does not know this form: %a = fptosi <2 x float>
define void @kernel(<2 x float> %x) {
  %a = fptosi <2 x float> %x to <2 x i32>, !dbg !2
  ret void
}
!0 = !DIFile(filename: "/home/me/cases.cu", directory: "/")
!1 = distinct !DISubprogram(name: "kernel", scope: !0, file: !0, line: 5)
!2 = !DILocation(line: 7, column: 3, scope: !1)
!3 = !DILocation(line: 8, column: 3, scope: !1)
