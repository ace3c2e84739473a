; cases.cu
define void @kernel(i32 %n, i32 %limit) !dbg !1 {
entry:
  %n.addr = alloca i32, align 4
  %limit.addr = alloca i32, align 4
  %i = alloca i32, align 4
  %sum = alloca float, align 4
  %kept = alloca i32, align 4
  %found = alloca i32, align 4
  %elsewhere = alloca i32, align 4
  store i32 %n, ptr %n.addr, align 4
    #dbg_declare(ptr %n.addr, !20, !DIExpression(), !2)
  store i32 %limit, ptr %limit.addr, align 4
    #dbg_declare(ptr %limit.addr, !21, !DIExpression(), !2)
    #dbg_declare(ptr %i, !22, !DIExpression(), !2)
    #dbg_declare(ptr %sum, !23, !DIExpression(), !2)
    #dbg_declare(ptr %kept, !24, !DIExpression(), !2)
    #dbg_declare(ptr %found, !25, !DIExpression(), !2)
    #dbg_declare(ptr %elsewhere, !26, !DIExpression(), !2)
  store i32 0, ptr %i, align 4, !dbg !2
  store ptr %kept, ptr @somewhere, align 4, !dbg !2
  store i32 1, ptr %kept, align 4, !dbg !2
  store i32 1, ptr %elsewhere, align 4, !dbg !2
  br label %for.cond, !dbg !2
for.cond:
  store i32 7, ptr %limit.addr, align 4, !dbg !3
  br label %for.body, !dbg !3
for.body:
  store float 0.000000e+00, ptr %sum, align 4, !dbg !3
  call void @look(ptr %found), !dbg !3
  br label %for.cond, !dbg !3, !llvm.loop !30
}
!0 = !DIFile(filename: "/home/me/cases.cu", directory: "/")
!1 = distinct !DISubprogram(name: "kernel", scope: !0, file: !0, line: 5)
!2 = !DILocation(line: 7, column: 3, scope: !1)
!3 = !DILocation(line: 9, column: 3, scope: !4)
!4 = distinct !DILexicalBlock(scope: !1, file: !0, line: 8, column: 3)
!9 = !DIFile(filename: "/usr/include/other.hpp", directory: "/")
!10 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!11 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!20 = !DILocalVariable(name: "n", arg: 1, scope: !1, file: !0, line: 5, type: !10)
!21 = !DILocalVariable(name: "limit", arg: 2, scope: !1, file: !0, line: 5, type: !10)
!22 = !DILocalVariable(name: "i", scope: !1, file: !0, line: 7, type: !10)
!23 = !DILocalVariable(name: "sum", scope: !4, file: !0, line: 8, type: !11)
!24 = !DILocalVariable(name: "kept", scope: !1, file: !0, line: 7, type: !10)
!25 = !DILocalVariable(name: "found", scope: !1, file: !0, line: 7, type: !10)
!26 = !DILocalVariable(name: "elsewhere", scope: !1, file: !9, line: 7, type: !10)
!30 = distinct !{!30, !31}
!31 = !{!"llvm.loop.unroll.enable"}
