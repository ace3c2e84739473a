define void @kernel(ptr %f) {
  %call = call i32 (i32, ptr, ...) @__emu_printf(i32 2, ptr @.str.4, double 2.5, i32 add (i32 1, i32 2)) #13, !dbg !2
  %none = call i32 (i32, ptr, ...) @__emu_printf(i32 0, ptr %f) #13, !dbg !2
  %mine = call i32 @printf_of_mine(ptr %f)
  ret void
}
declare i32 @__emu_printf(i32, ptr, ...)
