define void @kernel(ptr %x, ptr %map, i32 %row, float %number) {
  tail call void asm sideeffect "prefetch.global.L2::evict_last [$0];", "l,~{dirflag}"(ptr %x) #1, !dbg !2, !srcloc !3
  %1 = tail call i64 asm "createpolicy.fractional.L2::evict_last.L2::evict_first.b64 $0, 0.5;", "=l,~{flags}"() #1, !dbg !2
  %2 = call i32 asm sideeffect "ld.global.L2::cache_hint.b32 $0, [$1], $2;", "=r,l,l,~{memory}"(ptr %x, i64 %1) #1, !dbg !2, !srcloc !3
  %3 = tail call contract double asm sideeffect "ld.global.cg.f64 $0, [$1];", "=d,l"(ptr nonnull %x) #1
  call void asm sideeffect "st.global.cs.f32 [$0], $1;", "l,f,~{memory}"(ptr %x, float %number) #1, !dbg !2
  call void asm sideeffect "cp.async.bulk.prefetch.tensor.2d.L2.global.tile [$0, $($1, $2$)];", "l,r,r,~{memory}"(ptr %map, i32 0, i32 %row) #1, !dbg !2
  call void asm sideeffect "cp.async.bulk.prefetch.tensor.1d.L2.global.tile [$0, {$1}];", "l,r,~{memory}"(ptr %map, i32 %row) #1, !dbg !2
  ret void
}
