// Can a whole iterative solver be one launch? The method of conjugate gradients, with
// cuBLAS for its dot products and vector sums, is the body of a WHILE node: the GPU
// itself finds that the residual is small enough. No round trip to the host is left.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/cublas.hpp>
#include <lockstep/device_buffer.hpp>
#include <lockstep/host_timer.hpp>
#include <lockstep/measured.hpp>
#include <lockstep/owned_graph.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/require_device.hpp>

/// The numbers of the solver, in device memory.
struct numbers {
    double rr;                            ///< squared length of the residual r
    double old_rr;                        ///< that of the iteration before
    double pq;                            ///< p . A p
    double alpha, minus_alpha, beta, one; ///< factors
    int iterations;
    int go_on;  ///< whether another iteration is needed
};

/// q = A p: four times a point of the plate minus its neighbors, zero beyond its edge.
/// @param n  points of a side
/// @param p  n x n doubles in device memory
/// @param q  n x n doubles in device memory, written
__global__ void apply(int n, const double* p, double* q) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n) return;
    const int i = y * n + x;
    q[i] = 4 * p[i] - (x > 0 ? p[i - 1] : 0) - (x < n - 1 ? p[i + 1] : 0) -
           (y > 0 ? p[i - n] : 0) - (y < n - 1 ? p[i + n] : 0);
}

/// The step length; one thread.
/// @param s  in device memory
__global__ void step_length(numbers* s) {
    s->alpha = s->rr / s->pq;
    s->minus_alpha = -s->alpha;
    s->old_rr = s->rr;
}

// [decide]
/// The next direction, and whether there is a next iteration; one thread.
/// @param s          in device memory
/// @param enough     squared length of a residual that is small enough
/// @param in_graph   whether there is a condition to set
/// @param condition  of the WHILE node
__global__ void decide(numbers* s, double enough, bool in_graph,
                       cudaGraphConditionalHandle condition) {
    s->beta = s->rr / s->old_rr;
    s->go_on = ++s->iterations < 1000 && s->rr > enough;  // the loop has a limit
    if (in_graph) cudaGraphSetConditional(condition, s->go_on);
}
// [/decide]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const bool timed = !options.flag("untimed");
    const int n = options.integer("n", 64, 4, 256);
    options.finish();
    lockstep::require_device();

    const int all = n * n;
    const dim3 block(32, 8), grid((n + 31) / 32, (n + 7) / 8);
    std::vector<double> right_side(all);
    double squares = 0;
    for (int i = 0; i < all; ++i) {
        right_side[i] = 1 + i % 7;
        squares += right_side[i] * right_side[i];
    }
    const double enough = 1e-20 * squares;
    const lockstep::device_buffer<double> d_b(right_side);
    lockstep::device_buffer<double> d_x(all), d_r(all), d_p(all), d_q(all);
    lockstep::device_buffer<numbers> d_s(1);
    lockstep::device_buffer<char> d_workspace(32 << 20);
    lockstep::check(cudaDeviceSynchronize());
    numbers* s = d_s.data();
    double *x = d_x.data(), *r = d_r.data(), *p = d_p.data(), *q = d_q.data();
    const lockstep::owned_stream stream;
    cublasHandle_t cublas = nullptr;
    lockstep::check(cublasCreate(&cublas));
    lockstep::check(cublasSetStream(cublas, stream));
    lockstep::check(
        cublasSetWorkspace(cublas, d_workspace.data(), d_workspace.bytes()));
    lockstep::check(cublasSetPointerMode(cublas, CUBLAS_POINTER_MODE_DEVICE));

    const auto restart = [&] {  // x = 0, r = p = b
        const numbers start{squares, 0, 0, 0, 0, 0, 1, 0, 1};
        lockstep::check(cudaMemsetAsync(x, 0, d_x.bytes(), stream));
        for (double* to : {r, p})
            lockstep::check(cudaMemcpyAsync(to, d_b.data(), d_b.bytes(),
                                            cudaMemcpyDeviceToDevice, stream));
        lockstep::check(
            cudaMemcpyAsync(s, &start, sizeof start, cudaMemcpyHostToDevice, stream));
        lockstep::check(cudaStreamSynchronize(stream));
    };
    // [iteration]
    const auto iteration = [&](bool in_graph, cudaGraphConditionalHandle condition) {
        apply<<<grid, block, 0, stream>>>(n, p, q);
        lockstep::check(cublasDdot(cublas, all, p, 1, q, 1, &s->pq));
        step_length<<<1, 1, 0, stream>>>(s);
        lockstep::check(cublasDaxpy(cublas, all, &s->alpha, p, 1, x, 1));
        lockstep::check(cublasDaxpy(cublas, all, &s->minus_alpha, q, 1, r, 1));
        lockstep::check(cublasDdot(cublas, all, r, 1, r, 1, &s->rr));
        decide<<<1, 1, 0, stream>>>(s, enough, in_graph, condition);
        lockstep::check(cublasDscal(cublas, all, &s->beta, p, 1));
        lockstep::check(cublasDaxpy(cublas, all, &s->one, r, 1, p, 1));
        lockstep::check(cudaGetLastError());
    };
    // [/iteration]
    const auto report_us = [](const char* label, double us) {
        lockstep::report(label, lockstep::measured{us}, "us");
    };
    const auto solve = [&](const char* how, auto&& loop) {
        const auto run = [&] {
            restart();
            loop();
        };
        const double us = 1e3 * lockstep::time_on_host(run, timed ? 20 : 1).median_ms;
        const int iterations = d_s.to_host()[0].iterations;
        if (timed) report_us(how, us / iterations);
        return iterations;
    };
    numbers* seen = nullptr;
    lockstep::check(cudaMallocHost(&seen, sizeof(numbers)));
    // [host]
    const auto ask = [&] {  // waits for the end of the iteration
        lockstep::check(
            cudaMemcpyAsync(seen, s, sizeof(numbers), cudaMemcpyDeviceToHost, stream));
        lockstep::check(cudaStreamSynchronize(stream));
        return seen->go_on;
    };
    const int by_stream = solve("launches, host decides", [&] {
        do iteration(false, 0);
        while (ask());
    });
    // [/host]

    cudaGraph_t captured = nullptr;
    lockstep::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    iteration(false, 0);
    lockstep::check(cudaStreamEndCapture(stream, &captured));
    lockstep::owned_graph one(captured);
    one.instantiate();
    // [graph]
    const int by_graph = solve("graph, host decides", [&] {
        do lockstep::check(cudaGraphLaunch(one.executable(), stream));
        while (ask());
    });
    // [/graph]

    // [while]
    lockstep::owned_graph whole;
    cudaGraphConditionalHandle condition{};
    lockstep::check(cudaGraphConditionalHandleCreate(&condition, whole, 1,
                                                     cudaGraphCondAssignDefault));
    cudaGraphNodeParams loop{};
    loop.type = cudaGraphNodeTypeConditional;
    loop.conditional.handle = condition;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    cudaGraphNode_t node = nullptr;
    lockstep::check(cudaGraphAddNode(&node, whole, nullptr, nullptr, 0, &loop));
    cudaGraph_t body = loop.conditional.phGraph_out[0];
    lockstep::check(cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0,
                                                  cudaStreamCaptureModeGlobal));
    iteration(true, condition);
    lockstep::check(cudaStreamEndCapture(stream, &body));
    whole.instantiate();
    // [/while]
    const int by_while = solve("WHILE node", [&] {
        lockstep::check(cudaGraphLaunch(whole.executable(), stream));
        lockstep::check(cudaStreamSynchronize(stream));
    });
    lockstep::check(cublasDestroy(cublas));
    lockstep::check(cudaFreeHost(seen));

    const std::vector<double> found = d_x.to_host();
    double worst = 0;  // of b - A x, on the host
    for (int i = 0; i < all; ++i) {
        const double ax = 4 * found[i] - (i % n ? found[i - 1] : 0) -
                          (i % n < n - 1 ? found[i + 1] : 0) -
                          (i >= n ? found[i - n] : 0) -
                          (i < all - n ? found[i + n] : 0);
        worst = std::max(worst, std::fabs(right_side[i] - ax));
    }
    lockstep::report("iterations", by_while);
    const bool same = by_stream == by_graph && by_graph == by_while;
    lockstep::report("the same in all three", same);
    lockstep::report("equations hold", worst < 1e-6);
    return same && worst < 1e-6 && by_while < 1000 ? EXIT_SUCCESS : EXIT_FAILURE;
}
