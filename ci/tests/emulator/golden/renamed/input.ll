define void @kernel(ptr %x) #0 {
entry:
  %a = call noalias ptr @malloc(i64 8) #1, !dbg !2
  call void @free(ptr %a) #1, !dbg !3
  call void @__assert_fail(ptr %x, ptr %x, i32 3, ptr %x) #1, !dbg !3
  %b = call ptr @malloc_of_mine(i64 8)
  ret void
}
declare noalias ptr @malloc(i64) #7
