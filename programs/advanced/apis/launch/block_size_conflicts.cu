// There are two ways to fix the cluster size of a kernel. The compiler refuses both
// together.

#if WRONG == 1
// [both]
__global__ void __cluster_dims__(2, 1, 1) __block_size__((128, 1, 1), (2, 1, 1))
    both() {}
// [/both]
#else
// [empty]
__global__ void __cluster_dims__() __block_size__((128, 1, 1)) empty() {}
// [/empty]
#endif

int main() {}
