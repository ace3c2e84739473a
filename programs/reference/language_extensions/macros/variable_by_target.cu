// May a variable exist for the device only? No: the host registers each variable of the
// device by its name, and here its compilation has none.

// [variable]
#ifdef __CUDA_ARCH__
__device__ int only_on_the_device;
#endif
// [/variable]
