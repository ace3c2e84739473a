; expects: cases.cu:7: the rewrite "numbered" does not know this form: store ptr @__emu_barrier
define void @kernel(ptr %x) {
  store ptr @__emu_barrier, ptr %x, !dbg !2
  ret void
}
!0 = !DIFile(filename: "/home/me/cases.cu", directory: "/")
!1 = distinct !DISubprogram(name: "kernel", scope: !0, file: !0, line: 5)
!2 = !DILocation(line: 7, column: 3, scope: !1)
!3 = !DILocation(line: 8, column: 3, scope: !1)
