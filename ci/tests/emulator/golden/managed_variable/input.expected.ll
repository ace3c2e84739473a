; @counter
@counter = external global i32
@other = addrspace(0) global i32 3, align 4
define void @kernel() {
  %1 = load i32, ptr @counter, align 4
  ret void
}

; host
@counter = global i32 7, align 4
@.counter = private constant [8 x i8] c"counter\00"
define i32 @main() {
  store i32 1, ptr @counter, align 4
  ret i32 0
}
