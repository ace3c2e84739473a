; expects: inline PTX (bar.sync)
define void @kernel() {
  call void asm sideeffect "bar.sync 0;", ""() #1
  ret void
}
