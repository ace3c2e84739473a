; cases.cu
define void @kernel(i32 %n) !dbg !1 {
entry:
  %a = alloca i32, align 4, !dbg !2
  call void @__emu_line(i32 7), !dbg !2
  store i32 %n, ptr %a, align 4, !dbg !2
    #dbg_value(i32 %n, !9, !DIExpression(), !2)
  %b = load i32, ptr %a, align 4, !dbg !2
  call void @__emu_line(i32 8), !dbg !3
  switch i32 %b, label %next [
    i32 1, label %next
  ], !dbg !3
next:
  %c = phi i32 [ 0, %entry ], !dbg !3
  call void @__emu_line(i32 8), !dbg !3
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
; [5, 6, 7, 8]
