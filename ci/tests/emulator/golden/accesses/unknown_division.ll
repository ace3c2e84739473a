; expects: cases.cu:7: the rewrite "accesses" does not know this form: %a = udiv <2 x i32>
target triple = "x86_64-unknown-linux-gnu"
define void @kernel(ptr %x, <2 x i32> %n) {
  %a = udiv <2 x i32> splat (i32 7), %n, !dbg !2
  ret void
}
declare i64 @strlen(ptr)
!0 = !DIFile(filename: "/home/me/cases.cu", directory: "/")
!1 = distinct !DISubprogram(name: "kernel", scope: !0, file: !0, line: 5)
!2 = !DILocation(line: 7, column: 3, scope: !1)
!3 = !DILocation(line: 8, column: 3, scope: !1)
