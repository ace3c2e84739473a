; cases.cu
define void @kernel(i32 %n) !dbg !1 {
entry:
  %a = alloca i32, align 4, !dbg !2
  store i32 %n, ptr %a, align 4, !dbg !2
    #dbg_value(i32 %n, !9, !DIExpression(), !2)
  %b = load i32, ptr %a, align 4, !dbg !2
  switch i32 %b, label %next [
    i32 1, label %next
  ], !dbg !3
next:
  %c = phi i32 [ 0, %entry ], !dbg !3
  store i32 %c, ptr %a, align 4, !dbg !3
  ret void, !dbg !5
}
!0 = !DIFile(filename: "/home/me/cases.cu", directory: "/")
!1 = distinct !DISubprogram(name: "kernel", scope: !0, file: !0, line: 5)
!2 = !DILocation(line: 7, column: 3, scope: !1)
!3 = !DILocation(line: 8, column: 3, scope: !1)
!4 = !DIFile(filename: "/usr/include/other.hpp", directory: "/")
!5 = !DILocation(line: 70, column: 3, scope: !6)
!6 = distinct !DISubprogram(name: "other", scope: !4, file: !4, line: 60)
