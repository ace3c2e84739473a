define void @kernel(float %x, double %y, half %z) {
  %a = fptosi float %x to i32, !dbg !2
  %b = fptoui double %y to i8, !dbg !2
  %c = fptosi float %x to i64
  %"d e" = fptoui half %z to i16, !dbg !3
  %f = sitofp i32 %a to float
  ret void
}
