define void @kernel() {
  %1 = call i32 asm sideeffect "mov.u32 $0, %smid;", "=r"() #1, !dbg !2
  %2 = tail call i64 asm "mov.u64 $0, %globaltimer;", "=l,~{dirflag}"() #1, !dbg !2
  call void asm sideeffect "", "~{memory}"() #1
  ret void
}
define void @stops() #0 {
  call void asm sideeffect "trap;", ""() #4, !dbg !12, !srcloc !13
  ret void
}
