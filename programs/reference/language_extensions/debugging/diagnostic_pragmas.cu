// How does a file turn a diagnostic of nvcc's front end off and on, or into an error?
// By pragmas with its number, from a place of the file on. Choose one with -D.

#ifdef SUPPRESSED
#pragma nv_diag_suppress 177
#elif defined(RAISED)
#pragma nv_diag_error 177
#elif defined(ONCE)
#pragma nv_diag_once 177
#elif defined(RESTORED)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 177
#endif

__global__ void first() { int unused; }  // 177: declared but never referenced

#ifdef RESTORED
#pragma nv_diagnostic pop
#endif

__global__ void second() { int unused; }
