@__emu_offsets0 = constant [4 x i32] [i32 0, i32 8, i32 16, i32 -1]
