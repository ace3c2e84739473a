; kernel
; expects: a kernel argument of a class with a destructor (x)
target triple = "x86_64-unknown-linux-gnu"
define void @stub(ptr %x) #0 {
  %kernel_args = alloca [1 x ptr], align 16
  store ptr %x, ptr %kernel_args, align 16
  ret void
}
define void @kernel(ptr %x) #0 {
  ret void
}
