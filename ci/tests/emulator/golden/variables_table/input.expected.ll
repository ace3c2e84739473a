@table = dso_local externally_initialized global <{ [4 x i32], [61 x i8] }> <{ [4 x i32] zeroinitializer, [61 x i8] zeroinitializer }>, align 16
@"a b" = externally_initialized global { i32, float } zeroinitializer, align 4
@.str = private unnamed_addr constant [13 x i8] c"global x = 1\00", align 1
@far = external global i32, align 4
@__emu_shared_variables = constant [1 x {i32, i32}] zeroinitializer
@llvm.used = appending global [1 x ptr] [ptr @table], section "llvm.metadata"
@__emu_variable0 = alias [4 x i32], ptr @table

@__emu_device_image = constant [4 x {ptr, ptr}] [{ptr, ptr} {ptr @table, ptr getelementptr (<{ [4 x i32], [61 x i8] }>, ptr @table, i32 0, i32 1)}, {ptr, ptr} {ptr @"a b", ptr getelementptr ({ i32, float }, ptr @"a b", i32 1)}, {ptr, ptr} {ptr @.str, ptr getelementptr ([13 x i8], ptr @.str, i32 1)}, {ptr, ptr} zeroinitializer]
