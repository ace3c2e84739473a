; expects: the rewrite "frames" does not know this form: %a = alloca inalloca [4 x i32]
define void @kernel() {
  %a = alloca inalloca [4 x i32], align 16
  ret void
}
