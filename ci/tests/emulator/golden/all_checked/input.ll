define void @kernel() #0 {
  ret void
}
define i32 @square(i32 %x) unnamed_addr #1 {
  ret i32 %x
}
attributes #0 = { convergent nounwind }
attributes #1 = { nounwind memory(none) }
