; expects: the rewrite "all_checked" does not know this form: attributes #0
define void @kernel() #0 {
  ret void
}
attributes #0 = { disable_sanitizer_instrumentation nounwind }
