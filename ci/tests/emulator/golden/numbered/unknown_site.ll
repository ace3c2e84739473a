; expects: cases.cu:7: the rewrite "numbered" does not know this form: %1 = call i32 @__emu_barrier
define void @kernel(i32 %n) {
  %1 = call i32 @__emu_barrier(i32 0, i32 0, ptr @.str, i32 7, i32 %n) #1, !dbg !2
  ret void
}
!0 = !DIFile(filename: "/home/me/cases.cu", directory: "/")
!1 = distinct !DISubprogram(name: "kernel", scope: !0, file: !0, line: 5)
!2 = !DILocation(line: 7, column: 3, scope: !1)
!3 = !DILocation(line: 8, column: 3, scope: !1)
