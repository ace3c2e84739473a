@__emu_offsets0 = constant [5 x i32] [i32 0, i32 1, i32 4, i32 24, i32 -1]
