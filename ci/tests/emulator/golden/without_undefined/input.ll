define i32 @kernel(i32 %a, i32 %b, i64 %c, i64 %d) {
  %left = shl i32 %a, %b, !dbg !1
  %right = lshr i64 %c, %d
  %signed = ashr exact i32 %a, %b
  %known = shl nuw nsw i32 %a, 3
  %whole = sdiv i32 %a, %b, !dbg !1
  %rest = srem i64 %c, %d, !dbg !1
  %by_constant = sdiv i32 %a, 7
  %unsigned = udiv i32 %a, %b
  %narrow = shl i8 1, %e
  ret i32 %whole
}
