; expects: main.cu:7: the rewrite "host_accesses" does not know this form: call void @llvm.memset.p0.i32
target triple = "x86_64-unknown-linux-gnu"
define void @main(ptr %x, i32 %n) {
  call void @llvm.memset.p0.i32(ptr align 4 %x, i8 0, i32 %n, i1 false), !dbg !2
  ret void
}
!0 = !DIFile(filename: "/home/me/main.cu", directory: "/")
!1 = distinct !DISubprogram(name: "main", scope: !0, file: !0, line: 5)
!2 = !DILocation(line: 7, column: 3, scope: !1)
