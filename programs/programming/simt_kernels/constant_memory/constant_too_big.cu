// What if constants do not fit? Constant memory has 64 KiB. One byte more, and the
// assembler refuses the file.

// [too-big]
__constant__ char table[65'537];
// [/too-big]

/// Reads one byte.
/// @param i       which
/// @param result  one byte in device memory
__global__ void read(int i, char* result) { *result = table[i]; }
