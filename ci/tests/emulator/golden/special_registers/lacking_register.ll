; expects: inline PTX (mov.u32)
define void @kernel() {
  %1 = call i32 asm sideeffect "mov.u32 $0, %lanemask_lt;", "=r"() #1
  ret void
}
