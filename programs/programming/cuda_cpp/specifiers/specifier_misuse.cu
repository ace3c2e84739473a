// What does nvcc say about a specifier in the wrong place? Choose a mistake with -D. It
// refuses the first four. The last is none: a constant whose value the compiler knows
// needs no memory, so a kernel may use it from wherever it stands.

#ifdef NON_VOID_KERNEL
__global__ int kernel_with_result() { return 42; }
#endif

#ifdef DEVICE_FUNCTION_ON_HOST
__device__ int on_the_gpu() { return 42; }
int on_the_cpu() { return on_the_gpu(); }
#endif

#ifdef HOST_FUNCTION_ON_DEVICE
int on_the_cpu() { return 42; }
__global__ void on_the_gpu(int* x) { *x = on_the_cpu(); }
#endif

#ifdef HOST_VARIABLE_ON_DEVICE
int limit = 42;
__global__ void on_the_gpu(int* x) { *x = limit; }
#endif

#ifdef HOST_CONSTANT_ON_DEVICE
const int limit = 42;
__global__ void on_the_gpu(int* x) { *x = limit; }
#endif
