# Calls the kernel with tensors of PyTorch, in the stream that is current there.

import statistics
import sys
import time

import scaling
import torch


# [scale]
def scale(x, factor):
    """Multiplies a tensor in place, in the current stream."""
    if not (x.is_contiguous() and x.dtype == torch.float32):
        raise ValueError("scale takes a contiguous float32 tensor")
    stream = torch.cuda.current_stream(x.device).cuda_stream if x.is_cuda else None
    scaling.scale(x.data_ptr(), x.numel(), factor, stream)
    # [/scale]


def host_time_us(work):
    """The host's time for one call, in microseconds: the median of 20 loops."""
    samples = []
    for _ in range(20):
        torch.cuda.synchronize()
        begin = time.perf_counter()
        for _ in range(100):
            work()
        samples.append((time.perf_counter() - begin) * 1e6 / 100)
    return statistics.median(samples)


def report(label, value):
    print(f"{label:<28}{value}")


def main():
    report("PyTorch", torch.__version__)
    n = 1_000_000
    numbers = torch.arange(n, device="cuda") % 1000
    expected = 3 * numbers.float()
    torch.cuda.synchronize()

    # [stream]
    with torch.cuda.stream(torch.cuda.Stream()):
        torch.cuda._sleep(100_000_000)  # cycles: the stream has work for a while
        x = numbers.float()
        scale(x, 3)
    torch.cuda.synchronize()
    # [/stream]
    wrong = int((x != expected).sum())
    report("wrong elements", wrong)

    # [no-stream]
    with torch.cuda.stream(torch.cuda.Stream()):
        y = torch.zeros(n, device="cuda")
        torch.cuda._sleep(100_000_000)
        y.copy_(numbers)
        scaling.scale(y.data_ptr(), y.numel(), 3, None)  # the legacy default stream
    torch.cuda.synchronize()
    # [/no-stream]
    report("wrong, without the stream", f"~{int((y != expected).sum())}")

    for label, tensor in (("a tensor of the CPU", torch.ones(8)), ("x[::2]", x[::2])):
        try:
            scale(tensor, 3)
        except (RuntimeError, ValueError) as error:
            report(label, error)

    small = torch.ones(1024, device="cuda")
    report("host time of scale()", f"~{host_time_us(lambda: scale(small, 1)):.3g} us")
    report("host time of mul_()", f"~{host_time_us(lambda: small.mul_(1.0)):.3g} us")
    return 0 if wrong == 0 else 1


sys.exit(main())
