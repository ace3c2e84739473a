// May a kernel have __launch_bounds__ and __maxnreg__? No: the first asks the compiler
// to derive the number of registers, the second gives it.

// [both]
/// Has one limit too many.
__global__ void __launch_bounds__(128) __maxnreg__(32) both() {}
// [/both]
