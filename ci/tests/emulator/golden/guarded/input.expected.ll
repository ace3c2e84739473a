; table
@table = dso_local externally_initialized global <{ [4 x i32], [61 x i8] }> <{ [4 x i32] [i32 1, i32 2, i32 3, i32 4], [61 x i8] zeroinitializer }>, align 16
@tables = dso_local global i32 0, align 4
