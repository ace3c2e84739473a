// What the library offers: plain functions, for C, C++ and whatever can call C. The
// header needs no header of CUDA, so any compiler can read it.

#ifndef SCALE_H
#define SCALE_H

#include <stddef.h>

// [declarations]
#ifdef __cplusplus
extern "C" {
#endif

struct CUstream_st;  // a cudaStream_t points to one

/// Multiplies floats in place. Enqueues the work, and does not wait for it.
/// @param x       n floats in device or managed memory, which stay valid until the work
///                is done
/// @param n       number of elements; with 0, nothing is enqueued
/// @param factor  what each element is multiplied by
/// @param stream  where the work goes, of the device that owns x
/// @return 0, or a value of cudaError_t
int scale(float* x, size_t n, float factor, struct CUstream_st* stream);

/// The text of what scale() returned; it stays valid.
const char* scale_message(int status);

#ifdef __cplusplus
}
#endif
// [/declarations]

#endif
