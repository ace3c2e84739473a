target datalayout = "e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20"
define void @kernel(ptr %p) {
  call void @__emu_line(i32 7)
  call void @__emu_access_4_0(ptr %p, i32 3)
  ret void
}
