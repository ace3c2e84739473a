define linkonce_odr void @asks() local_unnamed_addr #0 comdat align 2 !dbg !1 {
  %a = call i32 @__emu_active_lanes(ptr @.str, i32 3)
  ret void
}
define void @calls_it() #0 {
  call void @asks()
  ret void
}
define void @kernel() #0 {
  call void @calls_it()
  call void @stays_a_function()
  ret void
}
define void @stays_a_function() #1 {
  call void @asks()
  ret void
}
define void @calls_itself() #0 {
  call void @asks()
  call void @by_way_of()
  ret void
}
define void @by_way_of() #1 {
  call void @calls_itself()
  ret void
}
define void @does_not_ask() #0 {
  ret void
}
attributes #0 = { convergent nounwind }
attributes #1 = { convergent noinline nounwind "text"=" optnone " }
