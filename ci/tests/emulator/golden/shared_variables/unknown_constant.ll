; expects: cases.cu:7: the rewrite "shared_variables" does not know this form: store ptr inttoptr
@tile = internal global [4 x i32] undef, align 16
define void @k(ptr %x) {
entry:
  store ptr inttoptr (i64 ptrtoaddr (ptr @tile to i64) to ptr), ptr %x, align 8, !dbg !2
  ret void
}
!0 = !DIFile(filename: "/home/me/cases.cu", directory: "/")
!1 = distinct !DISubprogram(name: "kernel", scope: !0, file: !0, line: 5)
!2 = !DILocation(line: 7, column: 3, scope: !1)
!3 = !DILocation(line: 8, column: 3, scope: !1)
