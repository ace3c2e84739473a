; expects: cases.cu:5: the rewrite "inlined" does not know this form: define void @asks() addrspace(1) #0
define void @asks() addrspace(1) #0 !dbg !1 {
  %a = call i32 @__emu_active_lanes(ptr @.str, i32 3)
  ret void
}
!0 = !DIFile(filename: "/home/me/cases.cu", directory: "/")
!1 = distinct !DISubprogram(name: "kernel", scope: !0, file: !0, line: 5)
!2 = !DILocation(line: 7, column: 3, scope: !1)
!3 = !DILocation(line: 8, column: 3, scope: !1)
define void @kernel() #0 {
  call void @asks()
  ret void
}
