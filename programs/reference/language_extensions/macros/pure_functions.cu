// The functions that pure_calls.cu calls: both reverse the bits of a number.

__device__ unsigned plain(unsigned x) { return __brev(x); }
__device__ __nv_pure__ unsigned pure(unsigned x) { return __brev(x); }
