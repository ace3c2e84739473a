; kernel
target triple = "wasm32-unknown-wasip1"
define void @kernel(i8 signext %letter, double %number, ptr %x) #0 {
  ret void
}
define void @parent(ptr %x) #0 {
entry:
  %call = call ptr @__emu_parameters(i32 64, i32 24) #5
  store ptr %call, ptr %buffer, align 4
  %0 = load ptr, ptr %buffer, align 4
  %call4 = call i32 @__emu_launch(ptr @kernel, ptr %0, ptr byval(%struct.dim3) align 4 %grid, ptr byval(%struct.dim3) align 4 %block, i32 0, ptr null) #5
  ret void
}
