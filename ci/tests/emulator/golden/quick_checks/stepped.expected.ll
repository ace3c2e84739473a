
@__emu_arena_begin = external global i32
@__emu_arena_end = external global i32
@__emu_arena_shadow = external global i32
@__emu_shared_low = external global i32
@__emu_shared_high = external global i32
@__emu_pending_write = external global i32
@__emu_stepped = external global i8
@__emu_writes_noted = constant i8 0

define internal void @__emu_access_4_0(ptr %p, i32 %place) alwaysinline {
  %address = ptrtoint ptr %p to i32
  %begin = load i32, ptr @__emu_arena_begin
  %end = load i32, ptr @__emu_arena_end
  %span = sub i32 %end, %begin
  %offset = sub i32 %address, %begin
  %inside = icmp ult i32 %offset, %span
  br i1 %inside, label %look, label %closely
look:
  %shadow = load ptr, ptr @__emu_arena_shadow
  %states = getelementptr i8, ptr %shadow, i32 %offset
  %state = load i32, ptr %states, align 1
  %known = icmp eq i32 %state, 33686018
  %odd = and i32 %address, 3
  %aligned = icmp eq i32 %odd, 0
  %low = load i32, ptr @__emu_shared_low
  %high = load i32, ptr @__emu_shared_high
  %shared_span = sub i32 %high, %low
  %shared_offset = sub i32 %address, %low
  %not_shared = icmp uge i32 %shared_offset, %shared_span
  %pending = load ptr, ptr @__emu_pending_write
  %settled = icmp eq ptr %pending, null
  %a = and i1 %known, %aligned
  %b = and i1 %not_shared, %settled
  %told = load i8, ptr @__emu_stepped
  %untold = icmp eq i8 %told, 0
  %c = and i1 %a, %b
  %quick = and i1 %c, %untold
  br i1 %quick, label %done, label %closely
closely:
  call void @__emu_access(ptr %p, i32 4, i32 0, i32 %place)
  br label %done
done:
  ret void
}
