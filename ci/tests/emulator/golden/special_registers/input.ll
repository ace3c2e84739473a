define void @kernel() {
  %1 = call i32 asm sideeffect "mov.u32 $0, %smid;", "=r"() #1, !dbg !2
  %2 = tail call i64 asm "mov.u64 $0, %globaltimer;", "=l,~{dirflag}"() #1, !dbg !2
  call void asm sideeffect "", "~{memory}"() #1
  ret void
}
