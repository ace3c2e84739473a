; expects: the rewrite "annotations" does not know this form: { ptr, ptr, ptr, i32, ptr } { ptr getelementptr (i8, ptr @x, i64 4)
@.str = private unnamed_addr constant [8 x i8] c"managed\00", section "llvm.metadata"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr getelementptr (i8, ptr @x, i64 4), ptr @.str, ptr @.str, i32 5, ptr null }], section "llvm.metadata"
