@.str = private unnamed_addr constant [13 x i8] c"cluster_dims\00", section "llvm.metadata"
@.str.1 = private unnamed_addr constant [9 x i8] c"cases.cu\00", section "llvm.metadata"
@.args = private unnamed_addr constant { i32, i32 } { i32 2, i32 1 }, section "llvm.metadata"

