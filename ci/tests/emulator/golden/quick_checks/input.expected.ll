
@__emu_arena_begin = external global i64
@__emu_arena_end = external global i64
@__emu_arena_shadow = external global i64
@__emu_shared_low = external global i64
@__emu_shared_high = external global i64
@__emu_pending_write = external global i64
@__emu_writes_noted = constant i8 0

define internal void @__emu_access_2_1(ptr %p, i32 %place) alwaysinline {
  %address = ptrtoint ptr %p to i64
  %begin = load i64, ptr @__emu_arena_begin
  %end = load i64, ptr @__emu_arena_end
  %span = sub i64 %end, %begin
  %offset = sub i64 %address, %begin
  %inside = icmp ult i64 %offset, %span
  br i1 %inside, label %look, label %closely
look:
  %shadow = load ptr, ptr @__emu_arena_shadow
  %states = getelementptr i8, ptr %shadow, i64 %offset
  %state = load i16, ptr %states, align 1
  %known = icmp eq i16 %state, 514
  %odd = and i64 %address, 1
  %aligned = icmp eq i64 %odd, 0
  %low = load i64, ptr @__emu_shared_low
  %high = load i64, ptr @__emu_shared_high
  %shared_span = sub i64 %high, %low
  %shared_offset = sub i64 %address, %low
  %not_shared = icmp uge i64 %shared_offset, %shared_span
  %pending = load ptr, ptr @__emu_pending_write
  %settled = icmp eq ptr %pending, null
  %a = and i1 %known, %aligned
  %b = and i1 %not_shared, %settled
  %quick = and i1 %a, %b
  br i1 %quick, label %done, label %closely
closely:
  call void @__emu_access(ptr %p, i32 2, i32 1, i32 %place)
  br label %done
done:
  ret void
}


define internal void @__emu_access_4_0(ptr %p, i32 %place) alwaysinline {
  %address = ptrtoint ptr %p to i64
  %begin = load i64, ptr @__emu_arena_begin
  %end = load i64, ptr @__emu_arena_end
  %span = sub i64 %end, %begin
  %offset = sub i64 %address, %begin
  %inside = icmp ult i64 %offset, %span
  br i1 %inside, label %look, label %closely
look:
  %shadow = load ptr, ptr @__emu_arena_shadow
  %states = getelementptr i8, ptr %shadow, i64 %offset
  %state = load i32, ptr %states, align 1
  %known = icmp eq i32 %state, 33686018
  %odd = and i64 %address, 3
  %aligned = icmp eq i64 %odd, 0
  %low = load i64, ptr @__emu_shared_low
  %high = load i64, ptr @__emu_shared_high
  %shared_span = sub i64 %high, %low
  %shared_offset = sub i64 %address, %low
  %not_shared = icmp uge i64 %shared_offset, %shared_span
  %pending = load ptr, ptr @__emu_pending_write
  %settled = icmp eq ptr %pending, null
  %a = and i1 %known, %aligned
  %b = and i1 %not_shared, %settled
  %quick = and i1 %a, %b
  br i1 %quick, label %done, label %closely
closely:
  call void @__emu_access(ptr %p, i32 4, i32 0, i32 %place)
  br label %done
done:
  ret void
}


define internal void @__emu_access_8_4(ptr %p, i32 %place) alwaysinline {
  %address = ptrtoint ptr %p to i64
  %begin = load i64, ptr @__emu_arena_begin
  %end = load i64, ptr @__emu_arena_end
  %span = sub i64 %end, %begin
  %offset = sub i64 %address, %begin
  %inside = icmp ult i64 %offset, %span
  br i1 %inside, label %look, label %closely
look:
  %shadow = load ptr, ptr @__emu_arena_shadow
  %states = getelementptr i8, ptr %shadow, i64 %offset
  %state = load i64, ptr %states, align 1
  %known = icmp eq i64 %state, 144680345676153346
  %odd = and i64 %address, 0
  %aligned = icmp eq i64 %odd, 0
  %low = load i64, ptr @__emu_shared_low
  %high = load i64, ptr @__emu_shared_high
  %shared_span = sub i64 %high, %low
  %shared_offset = sub i64 %address, %low
  %not_shared = icmp uge i64 %shared_offset, %shared_span
  %pending = load ptr, ptr @__emu_pending_write
  %settled = icmp eq ptr %pending, null
  %a = and i1 %known, %aligned
  %b = and i1 %not_shared, %settled
  %quick = and i1 %a, %b
  br i1 %quick, label %done, label %closely
closely:
  call void @__emu_access(ptr %p, i32 8, i32 4, i32 %place)
  br label %done
done:
  ret void
}
