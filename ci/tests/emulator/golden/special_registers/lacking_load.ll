; expects: inline PTX (ld.global.v2.u32)
define void @kernel(ptr %x) {
  %1 = call i32 asm sideeffect "ld.global.v2.u32 $0, [$1];", "=r,l"(ptr %x) #1
  ret void
}
