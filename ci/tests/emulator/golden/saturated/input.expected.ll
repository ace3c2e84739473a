define void @kernel(float %x, double %y, half %z) {
  %a.emu.w = call i32 @llvm.fptosi.sat.i32.f32(float %x)
  %a = add i32 %a.emu.w, 0, !dbg !2
  %b.emu.w = call i32 @llvm.fptoui.sat.i32.f64(double %y)
  %b.emu.u = fcmp uno double %y, %y
  %b.emu.n = select i1 %b.emu.u, i32 -2147483648, i32 %b.emu.w
  %b = trunc i32 %b.emu.n to i8, !dbg !2
  %c.emu.w = call i64 @llvm.fptosi.sat.i64.f32(float %x)
  %c.emu.u = fcmp uno float %x, %x
  %c.emu.n = select i1 %c.emu.u, i64 -9223372036854775808, i64 %c.emu.w
  %c = add i64 %c.emu.n, 0
  %"d e.emu.w" = call i32 @llvm.fptoui.sat.i32.f16(half %z)
  %"d e" = trunc i32 %"d e.emu.w" to i16, !dbg !3
  %f = sitofp i32 %a to float
  ret void
}

declare i32 @llvm.fptosi.sat.i32.f32(float)
declare i32 @llvm.fptoui.sat.i32.f16(half)
declare i32 @llvm.fptoui.sat.i32.f64(double)
declare i64 @llvm.fptosi.sat.i64.f32(float)
