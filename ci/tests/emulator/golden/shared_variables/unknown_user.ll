; expects: the rewrite "shared_variables" does not know this form: @points = global ptr @tile
@tile = internal global [4 x i32] undef, align 16
@points = global ptr @tile, align 8
