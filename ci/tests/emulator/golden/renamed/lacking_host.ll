; expects: the host's function rand, which device code calls; nvcc refuses that, too
target triple = "x86_64-unknown-linux-gnu"
define void @kernel(ptr %x) {
  %a = call i32 @rand()
  store i32 %a, ptr %x
  ret void
}
declare i32 @rand()
