// The function of the other unit: a step of a random number generator.

/// The number after x.
/// @param x  any number but 0
__device__ unsigned step(unsigned x) {
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ (x << 5);
}
