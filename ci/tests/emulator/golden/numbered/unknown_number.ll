; expects: the rewrite "numbered" does not know this form: %1 = call i32 @__emu_active_lanes
define void @kernel() {
  %1 = call i32 @__emu_active_lanes(ptr @.str, i32 7)
  ret void
}
