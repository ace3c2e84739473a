# The library's functions for Python: their types, and an exception instead of a status.

# [types]
import ctypes
from ctypes import c_char_p, c_float, c_int, c_size_t, c_void_p

library = ctypes.CDLL("./libscale.so")
library.scale.argtypes = [c_void_p, c_size_t, c_float, c_void_p]
library.scale.restype = c_int
library.scale_message.argtypes = [c_int]
library.scale_message.restype = c_char_p
# [/types]


# [scale]
def scale(address, n, factor, stream):
    """Multiplies n floats at an address of device memory in place, in a stream."""
    status = library.scale(address, n, factor, stream)
    if status != 0:
        raise RuntimeError(library.scale_message(status).decode())
    # [/scale]
