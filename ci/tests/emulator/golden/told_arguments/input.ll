define void @kernel(ptr %f) {
  %call = call i32 (ptr, ...) @printf(ptr @.str.4, double 2.5, i32 add (i32 1, i32 2)) #13, !dbg !2
  %none = call i32 (ptr, ...) @printf(ptr %f) #13, !dbg !2
  %mine = call i32 @printf_of_mine(ptr %f)
  ret void
}
declare !dbg !2020 i32 @printf(ptr, ...) #6
