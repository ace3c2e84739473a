# Calls a kernel with nothing but Python: ctypes calls the library, and the functions of
# the driver that own device memory and streams.

import array
import ctypes
import sys
from ctypes import byref, c_int, c_size_t, c_void_p

from scaling import scale

# [driver]
driver = ctypes.CDLL("libcuda.so.1")  # it comes with the driver, not with the toolkit


def call(name, *arguments):
    """Calls a function of the driver API; raises an error unless it returns 0."""
    status = getattr(driver, name)(*arguments)
    if status != 0:
        raise RuntimeError(f"{name} returned {status}")
    # [/driver]


def report(label, value):
    print(f"{label:<28}{value}")


def main():
    x = array.array("f", (i % 1000 for i in range(1_000_000)))
    size = c_size_t(len(x) * x.itemsize)
    host = c_void_p(x.buffer_info()[0])
    # [memory]
    device, context, stream, address = c_int(), c_void_p(), c_void_p(), c_void_p()
    call("cuInit", 0)
    call("cuDeviceGet", byref(device), 0)
    call("cuDevicePrimaryCtxRetain", byref(context), device)  # the runtime's, too
    call("cuCtxSetCurrent", context)
    call("cuStreamCreate", byref(stream), 1)  # 1 is CU_STREAM_NON_BLOCKING
    call("cuMemAlloc_v2", byref(address), size)
    call("cuMemcpyHtoD_v2", address, host, size)
    # [/memory]
    # [call]
    scale(address, len(x), 3, stream)
    call("cuStreamSynchronize", stream)
    # [/call]
    call("cuMemcpyDtoH_v2", host, address, size)
    wrong = sum(found != 3 * (i % 1000) for i, found in enumerate(x))
    report("wrong elements", wrong)
    try:
        scale(host, len(x), 3, stream)
    except RuntimeError as error:
        report("of a host address", error)
    call("cuMemFree_v2", address)
    call("cuStreamDestroy_v2", stream)
    call("cuDevicePrimaryCtxRelease_v2", device)
    return 0 if wrong == 0 else 1


try:
    sys.exit(main())
except RuntimeError as error:
    sys.exit(f"call_with_ctypes: {error}")
