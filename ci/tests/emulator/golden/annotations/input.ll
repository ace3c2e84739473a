@.str = private unnamed_addr constant [13 x i8] c"cluster_dims\00", section "llvm.metadata"
@.str.1 = private unnamed_addr constant [9 x i8] c"cases.cu\00", section "llvm.metadata"
@.args = private unnamed_addr constant { i32, i32 } { i32 2, i32 1 }, section "llvm.metadata"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @_Z6kernelv, ptr @.str, ptr @.str.1, i32 5, ptr @.args }], section "llvm.metadata"
