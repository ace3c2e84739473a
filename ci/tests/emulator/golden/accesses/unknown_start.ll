; expects: the rewrite "accesses" does not know this form: @llvm.global_ctors = appending global [2 x
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 0, ptr @tsan.module_ctor, ptr null }, { i32, ptr, ptr } { i32 0, ptr @other, ptr null }]
