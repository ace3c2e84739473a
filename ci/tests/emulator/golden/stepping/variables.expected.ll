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
  call void @__emu_assigned_i32(i32 2, i32 %limit)
    #dbg_declare(ptr %limit.addr, !21, !DIExpression(), !2)
    #dbg_declare(ptr %i, !22, !DIExpression(), !2)
    #dbg_declare(ptr %sum, !23, !DIExpression(), !2)
    #dbg_declare(ptr %kept, !24, !DIExpression(), !2)
    #dbg_declare(ptr %found, !25, !DIExpression(), !2)
    #dbg_declare(ptr %elsewhere, !26, !DIExpression(), !2)
  call void @__emu_line(i32 7), !dbg !2
  store i32 0, ptr %i, align 4, !dbg !2
  call void @__emu_assigned_i32(i32 1, i32 0)
  store ptr %kept, ptr @somewhere, align 4, !dbg !2
  store i32 1, ptr %kept, align 4, !dbg !2
  store i32 1, ptr %elsewhere, align 4, !dbg !2
  br label %for.cond, !dbg !2
for.cond:
  call void @__emu_line(i32 9), !dbg !3
  store i32 7, ptr %limit.addr, align 4, !dbg !3
  call void @__emu_assigned_i32(i32 2, i32 7)
  br label %for.body, !dbg !3
for.body:
  call void @__emu_line(i32 -9), !dbg !3
  store float 0.000000e+00, ptr %sum, align 4, !dbg !3
  call void @__emu_assigned_float(i32 3, float 0.000000e+00)
  call void @look(ptr %found), !dbg !3
  %emu.assigned0 = load i32, ptr %found
  call void @__emu_assigned_i32(i32 0, i32 %emu.assigned0)
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
!31 = !{!"not.unrolled.enable"}

declare void @__emu_line(i32)
define internal void @__emu_assigned_i8(i32 %variable, i8 %value) alwaysinline {
  %bits = zext i8 %value to i64
  call void @__emu_assigned(i32 %variable, i64 %bits)
  ret void
}
define internal void @__emu_assigned_i16(i32 %variable, i16 %value) alwaysinline {
  %bits = zext i16 %value to i64
  call void @__emu_assigned(i32 %variable, i64 %bits)
  ret void
}
define internal void @__emu_assigned_i32(i32 %variable, i32 %value) alwaysinline {
  %bits = zext i32 %value to i64
  call void @__emu_assigned(i32 %variable, i64 %bits)
  ret void
}
define internal void @__emu_assigned_i64(i32 %variable, i64 %value) alwaysinline {
  call void @__emu_assigned(i32 %variable, i64 %value)
  ret void
}
define internal void @__emu_assigned_float(i32 %variable, float %value) alwaysinline {
  %word = bitcast float %value to i32
  %bits = zext i32 %word to i64
  call void @__emu_assigned(i32 %variable, i64 %bits)
  ret void
}
define internal void @__emu_assigned_double(i32 %variable, double %value) alwaysinline {
  %word = bitcast double %value to i64
  call void @__emu_assigned(i32 %variable, i64 %word)
  ret void
}
declare void @__emu_assigned(i32, i64)
; [5, 6, 7, 8, 9]
; found i4 7 to 9
; i i4 7 to 9
; limit i4 5 to 9
; sum f4 8 to 9
