target triple = "wasm32-unknown-wasi"
define void @kernel(ptr %x) {
  call void @__emu_access_1_0(ptr %x, i32 1)
  call void @__emu_access_16_1(ptr %x, i32 2)
  call void @__emu_bulk_copy(ptr %x, ptr %x, i32 16, ptr %x, i32 0, i32 11, i32 0, ptr null, i32 0)
  ret void
}
declare void @__emu_bulk_copy(ptr, ptr, i32, ptr, i32, i32, i32, ptr, i32)
