define i32 @kernel(i32 %a, i32 %b, i64 %c, i64 %d) {
  %left.emu.o = icmp uge i32 %b, 32
  %left.emu.b = select i1 %left.emu.o, i32 0, i32 %b
  %left.emu.s = shl i32 %a, %left.emu.b
  %left = select i1 %left.emu.o, i32 0, i32 %left.emu.s, !dbg !1
  %right.emu.o = icmp uge i64 %d, 64
  %right.emu.b = select i1 %right.emu.o, i64 0, i64 %d
  %right.emu.s = lshr i64 %c, %right.emu.b
  %right = select i1 %right.emu.o, i64 0, i64 %right.emu.s
  %signed.emu.o = icmp uge i32 %b, 32
  %signed.emu.b = select i1 %signed.emu.o, i32 31, i32 %b
  %signed = ashr i32 %a, %signed.emu.b
  %known = shl nuw nsw i32 %a, 3
  %whole.emu.m = icmp eq i32 %b, -1
  %whole.emu.d = select i1 %whole.emu.m, i32 1, i32 %b
  %whole.emu.q = sdiv i32 %a, %whole.emu.d, !dbg !1
  %whole.emu.g = sub i32 0, %a
  %whole = select i1 %whole.emu.m, i32 %whole.emu.g, i32 %whole.emu.q, !dbg !1
  %rest.emu.m = icmp eq i64 %d, -1
  %rest.emu.d = select i1 %rest.emu.m, i64 1, i64 %d
  %rest = srem i64 %c, %rest.emu.d, !dbg !1
  %by_constant = sdiv i32 %a, 7
  %unsigned = udiv i32 %a, %b
  %narrow = shl i8 1, %e
  ret i32 %whole
}
