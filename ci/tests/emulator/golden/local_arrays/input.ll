target triple = "x86_64-unknown-linux-gnu"
%struct.pair = type { [2 x i32], double }
define i32 @kernel(i64 %i, i32 %n, ptr %x) {
  %a = alloca [4 x i32], align 16
  %one = alloca i32, align 4
  %pair = alloca %struct.pair, align 8
  %many = alloca [2 x i32], i32 %n, align 4
  %p = getelementptr inbounds nuw [4 x i32], ptr %a, i64 0, i64 %i, !dbg !2
  store i32 7, ptr %p, align 4, !dbg !2
  %q = getelementptr i8, ptr %p, i64 4
  %read = load volatile i32, ptr %q, align 4, !dbg !3
  %second = getelementptr inbounds nuw i32, ptr %a, i64 1
  store <2 x i32> <i32 1, i32 2>, ptr %second, align 4, !dbg !3
  %element = getelementptr inbounds %struct.pair, ptr %pair, i64 0, i32 0, i64 %i
  store i32 %read, ptr %element, align 4, !dbg !2
  %known = getelementptr inbounds nuw i8, ptr %pair, i64 8
  store double 1.0, ptr %known, align 8, !dbg !2
  %other = getelementptr inbounds i32, ptr %x, i64 %i
  %loaded = load i32, ptr %other, align 4, !dbg !2
  store ptr %p, ptr %x, align 8
  ret i32 %loaded
}
define void @without(ptr %x) {
  store i32 0, ptr %x, align 4, !dbg !2
  ret void
}
!0 = !DIFile(filename: "/home/me/cases.cu", directory: "/")
!1 = distinct !DISubprogram(name: "kernel", scope: !0, file: !0, line: 5)
!2 = !DILocation(line: 7, column: 3, scope: !1)
!3 = !DILocation(line: 8, column: 3, scope: !1)
