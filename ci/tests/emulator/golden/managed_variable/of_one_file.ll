; @counter__static__1a2b
@counter__static__1a2b = externally_initialized global [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 16

; host
@counter = internal global [4 x i32] undef, align 16
define void @host() {
  store i32 1, ptr @counter, align 4
  ret void
}
