; kernel
target triple = "wasm32-unknown-wasip1"
define void @stub(ptr byval(%struct.big) align 4 %big, ptr %empty) #0 {
entry:
  %kernel_args = alloca [2 x ptr], align 16
  store ptr %big, ptr %kernel_args, align 16
  %0 = getelementptr inbounds nuw i8, ptr %kernel_args, i32 4
  store ptr %empty, ptr %0, align 4
  ret void
}
define void @kernel(ptr byval(%struct.big) align 4 %big) #0 {
  ret void
}
