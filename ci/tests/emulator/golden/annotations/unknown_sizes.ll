; expects: the rewrite "annotations" does not know this form: { ptr, ptr, ptr, i32, ptr } { ptr @k, ptr @.str
@.str = private unnamed_addr constant [13 x i8] c"cluster_dims\00", section "llvm.metadata"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @k, ptr @.str, ptr @.str, i32 5, ptr null }], section "llvm.metadata"
