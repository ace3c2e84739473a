define float @kernel(ptr %x, float %a, i1 %c) {
entry:
  %sum = fadd contract float %a, 1.0, !dbg !1
  %kept = load float, ptr %x, align 4
  br label %loop

loop:
  %running = phi float [ %sum, %entry ], [ %next, %loop ]
  %next = tail call contract float @llvm.fma.f32(float %running, float %a, float %sum)
  %either = select i1 %c, float %kept, float %next
  br i1 %c, label %loop, label %end

end:
  store float %kept, ptr %x, align 4
  %emu.nan0 = fcmp uno float %next, 0.0
  %emu.float0 = select i1 %emu.nan0, float 0x7FFFFFFFE0000000, float %next
  store float %emu.float0, ptr %x, align 4, !dbg !1
  %emu.nan1 = fcmp uno float %either, 0.0
  %emu.float1 = select i1 %emu.nan1, float 0x7FFFFFFFE0000000, float %either
  store float %emu.float1, ptr %x, align 4
  %emu.nan2 = fcmp uno float %running, 0.0
  %emu.float2 = select i1 %emu.nan2, float 0x7FFFFFFFE0000000, float %running
  %bits = bitcast float %emu.float2 to i32
  %emu.nan3 = fcmp uno float %sum, 0.0
  %emu.float3 = select i1 %emu.nan3, float 0x7FFFFFFFE0000000, float %sum
  %wide = fpext float %emu.float3 to double
  %root = call float @sqrtf(float %a)
  %emu.nan4 = fcmp uno float %root, 0.0
  %emu.float4 = select i1 %emu.nan4, float 0x7FFFFFFFE0000000, float %root
  call void @prints(double %wide, float %emu.float4)
  %size = call float @llvm.fabs.f32(float %sum)
  ret float %size
}
define void @without(ptr %x, double %a) {
  %sum = fadd double %a, 1.0
  store double %sum, ptr %x, align 8
  ret void
}
