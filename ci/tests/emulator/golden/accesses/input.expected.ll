target triple = "x86_64-unknown-linux-gnu"
define void @kernel(ptr %x, i32 %n, i32 %m) {
entry:
  call void @__emu_access_4_0(ptr nonnull %x, i32 1), !dbg !2
  %a = load i32, ptr %x, align 4, !dbg !2, !tbaa !9
  call void @__emu_access_8_8(ptr %x, i32 1), !dbg !2
  %b = load i64, ptr %x, align 8, !dbg !2
  call void @__emu_access_4_16(ptr %x, i32 2), !dbg !3
  %bf.load = load i32, ptr %x, align 4, !dbg !3, !tbaa !9
  call void @__emu_access_16_5(ptr getelementptr (i8, ptr @table, i64 sub (i64 0, i64 mul (i64 2, i64 4))), i32 2), !dbg !3
  store <4 x i32> zeroinitializer, ptr %x, align 4, !dbg !3
  call void @__emu_access(ptr %x, i32 4, i32 2, i32 2), !dbg !3
  call void @__emu_look(), !dbg !3
  %c = load volatile i32, ptr %x, align 4, !dbg !3, !tbaa !9
  call void @__emu_access_4_1(ptr %x, i32 0)
  store i32 0, ptr %x, align 4, !tbaa !9
  %emu.part15.0 = getelementptr i8, ptr %x, i32 0
  call void @__emu_access_8_0(ptr %emu.part15.0, i32 2), !dbg !3
  %emu.part15.8 = getelementptr i8, ptr %x, i32 8
  call void @__emu_access_4_0(ptr %emu.part15.8, i32 2), !dbg !3
  %wide = load <3 x i32>, ptr %x, align 8, !dbg !3, !tbaa !9
  %emu.part20.0 = getelementptr i8, ptr %x, i32 0
  call void @__emu_access(ptr %emu.part20.0, i32 2, i32 3, i32 2), !dbg !3
  %emu.part20.2 = getelementptr i8, ptr %x, i32 2
  call void @__emu_access(ptr %emu.part20.2, i32 1, i32 3, i32 2), !dbg !3
  store volatile i24 1, ptr %x, align 4, !dbg !3
  %emu.zero25 = icmp eq i32 %m, 0
  call void @__emu_divisor(i1 zeroext %emu.zero25, i32 2)
  %d = sdiv exact i32 %n, %m, !dbg !3
  %e = urem i64 5, 3
  call void @__emu_access(ptr nonnull %x, i32 4, i32 1, i32 2)
  call void @__emu_access(ptr getelementptr (i8, ptr @table, i64 4), i32 4, i32 1, i32 2)
  call void @sincosf(float 1.0, ptr nonnull %x, ptr getelementptr (i8, ptr @table, i64 4)), !dbg !3
  %g = call ptr @__emu_copy(ptr align 4 %x, ptr @table, i64 16, i32 1), !dbg !2
  %h = call ptr @__emu_fill(ptr %x, i32 0, i64 16, i32 1), !dbg !2
  call void @__emu_aligned(ptr %x, i32 4, i32 1, i32 1), !dbg !2
  %i = call float @sqrtf(float 2.0)
  ret void
}
declare void @sincosf(float, ptr, ptr)
declare float @sqrtf(float)
define void @launches(ptr %kernel, ptr %buffer) #0 {
  call void @__emu_launch_place(i32 1)
  %call = call i32 @__emu_launch(ptr %kernel, ptr %buffer, i64 1, i32 1, i64 1, i32 1, i32 0, ptr null) #5, !dbg !2
  ret void
}
!0 = !DIFile(filename: "/home/me/cases.cu", directory: "/")
!1 = distinct !DISubprogram(name: "kernel", scope: !0, file: !0, line: 5)
!2 = !DILocation(line: 7, column: 3, scope: !1)
!3 = !DILocation(line: 8, column: 3, scope: !1)

@__emu_arena_begin = external global i64
@__emu_arena_end = external global i64
@__emu_arena_shadow = external global i64
@__emu_shared_low = external global i64
@__emu_shared_high = external global i64
@__emu_pending_write = external global i64
@__emu_writes_noted = constant i8 0

define internal void @__emu_access_16_5(ptr %p, i32 %place) alwaysinline {
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
  %state = load i128, ptr %states, align 1
  %known = icmp eq i128 %state, 2668881309183831085987251822994260482
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
  call void @__emu_access(ptr %p, i32 16, i32 5, i32 %place)
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


define internal void @__emu_access_4_1(ptr %p, i32 %place) alwaysinline {
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
  call void @__emu_access(ptr %p, i32 4, i32 1, i32 %place)
  br label %done
done:
  ret void
}


define internal void @__emu_access_4_16(ptr %p, i32 %place) alwaysinline {
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
  call void @__emu_access(ptr %p, i32 4, i32 16, i32 %place)
  br label %done
done:
  ret void
}


define internal void @__emu_access_8_0(ptr %p, i32 %place) alwaysinline {
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
  %odd = and i64 %address, 7
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
  call void @__emu_access(ptr %p, i32 8, i32 0, i32 %place)
  br label %done
done:
  ret void
}


define internal void @__emu_access_8_8(ptr %p, i32 %place) alwaysinline {
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
  %odd = and i64 %address, 7
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
  call void @__emu_access(ptr %p, i32 8, i32 8, i32 %place)
  br label %done
done:
  ret void
}

declare void @__emu_access(ptr, i32, i32, i32)
declare void @__emu_look()
declare void @__emu_launch_place(i32)
declare void @__emu_divisor(i1 zeroext, i32)
declare ptr @__emu_copy(ptr, ptr, i64, i32)
declare ptr @__emu_fill(ptr, i32, i64, i32)
