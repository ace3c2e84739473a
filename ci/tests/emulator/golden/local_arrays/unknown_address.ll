; expects: cases.cu:7: the rewrite "local_arrays" does not know this form: %p = getelementptr [4 x i32], i64 %a
target triple = "x86_64-unknown-linux-gnu"
define void @kernel(i64 %i) {
  %a = alloca [4 x i32], align 16
  %p = getelementptr [4 x i32], i64 %a, i64 %i, !dbg !2
  ret void
}
!0 = !DIFile(filename: "/home/me/cases.cu", directory: "/")
!1 = distinct !DISubprogram(name: "kernel", scope: !0, file: !0, line: 5)
!2 = !DILocation(line: 7, column: 3, scope: !1)
