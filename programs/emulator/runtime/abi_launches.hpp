// What kernels ask the device runtime for, launches of kernels above all: a part of the contract in
// abi.hpp.
#pragma once

namespace emulator_abi {

// Where a kernel launches kernels besides the streams that it makes: addresses in place of streams.
enum launch_stream : unsigned {
    launch_null = 0,  // the stream that each block has
    launch_legacy = 1,  // the host's, which no kernel can use
    launch_per_thread = 2,  // a stream for each thread of the block
    launch_at_end = 3,  // when the grid and all that it has launched have ended, one by one
    launch_apart = 4,  // at once, in no order
};

// Of the buffers of arguments: of this, and of no more, can a program be sure.
constexpr int parameter_alignment = 16;

// What a kernel may ask about another one.
enum kernel_query : int {
    kernel_attributes = 0,  // fills a cudaFuncAttributes
    kernel_blocks = 1,  // how many of its blocks a multiprocessor holds: an int
};

namespace names {

// ptr (word alignment, word bytes): a buffer for the arguments of a launch. The compiler calls it
// for <<<>>>, by the name cudaGetParameterBuffer
constexpr char parameters[] = "__emu_parameters";
// i32 (ptr kernel, ptr buffer, dim3 grid, dim3 block, i32 shared, ptr launch_stream): a
// cudaError_t. The compiler calls it for <<<>>>, by the name cudaLaunchDevice. A kernel's table of
// sizes stands for the kernel
constexpr char launch[] = "__emu_launch";
// void (i32 place): before each launch
constexpr char launch_place[] = "__emu_launch_place";

// Most of these are functions of the API, end in (..., ptr file, i32 line), and give a cudaError_t
// back.

// i32 (i32 clear): the last error of the thread
constexpr char last_error[] = "__emu_last_error";
// ptr (i32 error, i32 name): its text or its name, for printf
constexpr char error_text[] = "__emu_error_text";
// i32 (i32 error): remembers it, and gives it back
constexpr char remember[] = "__emu_remember";
constexpr char stream_create[] = "__emu_stream_create";  // i32 (ptr made, i32 flags)
constexpr char stream_destroy[] = "__emu_stream_destroy";  // i32 (ptr stream, ...)
constexpr char stream_wait[] = "__emu_stream_wait";  // i32 (ptr stream, ptr event, i32 flags, ...)
constexpr char event_create[] = "__emu_event_create";  // i32 (ptr made, i32 flags)
constexpr char event_record[] = "__emu_event_record";  // i32 (ptr event, ptr stream, ...)
constexpr char event_destroy[] = "__emu_event_destroy";  // i32 (ptr event, ...)
// i32 (ptr to, i32 value, word bytes, ptr stream, ...)
constexpr char stream_fill[] = "__emu_stream_fill";
// i32 (ptr to, ptr from, word bytes, i32 kind, ptr stream, ...)
constexpr char stream_copy[] = "__emu_stream_copy";
constexpr char heap_allocate[] = "__emu_heap_allocate";  // i32 (ptr made, word bytes)
constexpr char heap_release[] = "__emu_heap_release";  // i32 (ptr, ...)
constexpr char device_attribute[] = "__emu_device_attribute";  // i32 (ptr found, i32 which, i32)
constexpr char device_limit[] = "__emu_device_limit";  // i32 (ptr found, i32 which)
// i32 (i32 kernel_query, ptr found, ptr kernel, i32 threads, word shared)
constexpr char kernel_query[] = "__emu_kernel_query";
// void (): stops the kernel, as the instruction trap does
constexpr char trap[] = "__emu_trap";

}  // namespace names

}  // namespace emulator_abi
