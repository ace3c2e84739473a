define void @kernel(ptr %x, ptr %map, i32 %row, float %number) {

  %1 = add i64 0, 0, !dbg !2
  %2 = load i32, ptr %x, align 4, !dbg !2
  %3 = load double, ptr %x, align 8
  store float %number, ptr %x, align 4, !dbg !2
  call void @__emu_tensor_prefetch(ptr %map, i32 2, i32 0, i32 %row, i32 0, i32 0, i32 0), !dbg !2
  call void @__emu_tensor_prefetch(ptr %map, i32 1, i32 %row, i32 0, i32 0, i32 0, i32 0), !dbg !2
  ret void
}

declare void @__emu_tensor_prefetch(ptr, i32, i32, i32, i32, i32, i32)
