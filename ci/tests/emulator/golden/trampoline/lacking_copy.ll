; kernel
; expects: a kernel argument that is copied by a constructor of its own (x)
target triple = "x86_64-unknown-linux-gnu"
define void @stub(ptr %x) #0 {
  %x.addr = alloca ptr, align 8
  %kernel_args = alloca [1 x ptr], align 16
  store ptr %x, ptr %x.addr, align 8
  store ptr %x.addr, ptr %kernel_args, align 16
  ret void
}
define void @kernel(ptr dead_on_return %x) #0 {
  ret void
}
