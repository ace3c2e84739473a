define void @kernel() {
  %1 = call i32 @__emu_register_smid() #1, !dbg !2
  %2 = tail call i64 @__emu_register_globaltimer() #1, !dbg !2
  call void asm sideeffect "", "~{memory}"() #1
  ret void
}
define void @stops() #0 {
  call void @__emu_trap() #4, !dbg !12, !srcloc !13
  ret void
}

declare void @__emu_trap()

declare i32 @__emu_register_smid()

declare i64 @__emu_register_globaltimer()
