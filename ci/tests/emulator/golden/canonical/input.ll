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
  store float %next, ptr %x, align 4, !dbg !1
  store float %either, ptr %x, align 4
  %bits = bitcast float %running to i32
  %wide = fpext float %sum to double
  %root = call float @sqrtf(float %a)
  call void @prints(double %wide, float %root)
  %size = call float @llvm.fabs.f32(float %sum)
  ret float %size
}
define void @without(ptr %x, double %a) {
  %sum = fadd double %a, 1.0
  store double %sum, ptr %x, align 8
  ret void
}
