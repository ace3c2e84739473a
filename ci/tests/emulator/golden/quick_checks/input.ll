target triple = "x86_64-unknown-linux-gnu"
define void @kernel(ptr %x) {
  call void @__emu_access_4_0(ptr %x, i32 1)
  call void @__emu_access_2_1(ptr %x, i32 2)
  call void @__emu_access_4_0(ptr %x, i32 3)
  call void @__emu_access_8_4(ptr %x, i32 4)
  ret void
}
