// Can two processes use one allocation on the GPU? The first exports its pool as a file
// descriptor and the allocation as a few bytes; the second imports both. Events that
// both processes know keep the order: no use before the fill, no free before the use.

#include <cstdint>
#include <cstdlib>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <lockstep/descriptor_message.hpp>
#include <lockstep/owned_stream.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr int n = 1 << 20;
constexpr auto by_descriptor = cudaMemHandleTypePosixFileDescriptor;

/// Adds a number to each element.
/// @param x       n ints in device memory, changed
/// @param number  the number
__global__ void add(int* x, int number) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += number;
}

// [offer]
/// What the exporter sends beside the descriptor of its pool.
struct offer {
    cudaMemPoolPtrExportData data;  ///< names the allocation within the pool
    cudaIpcEventHandle_t filled;  ///< names the event after the exporter's work
};

/// An event that another process can open.
cudaEvent_t shared_event() {
    cudaEvent_t event = nullptr;
    lockstep::check(cudaEventCreateWithFlags(
        &event, cudaEventDisableTiming | cudaEventInterprocess));
    return event;
}
// [/offer]

/// The second process: adds 5 to each element of the first one's memory.
/// @param socket  leads to the first process
void import_and_use(int socket) {
    int descriptor = -1;
    offer offered{};
    if (!lockstep::receive_message(socket, offered, &descriptor)) return;
    const lockstep::owned_stream stream;
    // [import]
    cudaMemPool_t pool = nullptr;
    void* handle = reinterpret_cast<void*>(std::intptr_t{descriptor});  // by value
    lockstep::check(
        cudaMemPoolImportFromShareableHandle(&pool, handle, by_descriptor, 0));
    void* x = nullptr;
    lockstep::check(cudaMemPoolImportPointer(&x, pool, &offered.data));
    cudaEvent_t filled = nullptr;
    lockstep::check(cudaIpcOpenEventHandle(&filled, offered.filled));
    // [/import]
    // [use]
    lockstep::check(cudaStreamWaitEvent(stream, filled));
    add<<<n / 256, 256, 0, stream>>>(static_cast<int*>(x), 5);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaFreeAsync(x, stream));  // here first, and only for this process
    const cudaEvent_t finished = shared_event();
    lockstep::check(cudaEventRecord(finished, stream));
    cudaIpcEventHandle_t message{};
    lockstep::check(cudaIpcGetEventHandle(&message, finished));
    // [/use]
    lockstep::send_message(socket, message);
    lockstep::check(cudaStreamSynchronize(stream));
    char farewell = 0;  // the first process opens the event, so it must live until then
    lockstep::receive_message(socket, farewell);
    lockstep::check(cudaEventDestroy(finished));
    lockstep::check(cudaEventDestroy(filled));
    lockstep::check(cudaMemPoolDestroy(pool));
}

/// The first process: fills the memory with 37 and looks at it again at the end.
/// @param socket  leads to the second process
bool export_and_check(int socket) {
    lockstep::require_device();
    const lockstep::owned_stream stream;
    // [export]
    cudaMemPoolProps props{};
    props.allocType = cudaMemAllocationTypePinned;
    props.handleTypes = by_descriptor;  // without it, no export
    props.location.type = cudaMemLocationTypeDevice;
    cudaMemPool_t pool = nullptr;
    lockstep::check(cudaMemPoolCreate(&pool, &props));
    int descriptor = -1;
    lockstep::check(
        cudaMemPoolExportToShareableHandle(&descriptor, pool, by_descriptor, 0));

    int* x = nullptr;
    offer offered{};
    lockstep::check(cudaMallocAsync(&x, n * sizeof(int), pool, stream));
    lockstep::check(cudaMemPoolExportPointer(&offered.data, x));
    // [/export]
    // [fill]
    lockstep::check(cudaMemsetAsync(x, 0, n * sizeof(int), stream));
    add<<<n / 256, 256, 0, stream>>>(x, 37);
    lockstep::check(cudaGetLastError());
    const cudaEvent_t filled = shared_event();
    lockstep::check(cudaEventRecord(filled, stream));
    lockstep::check(cudaIpcGetEventHandle(&offered.filled, filled));
    // [/fill]
    cudaIpcEventHandle_t message{};
    if (!lockstep::send_message(socket, offered, descriptor) ||
        !lockstep::receive_message(socket, message))
        return false;
    // [free]
    cudaEvent_t finished = nullptr;
    lockstep::check(cudaIpcOpenEventHandle(&finished, message));
    lockstep::check(cudaStreamWaitEvent(stream, finished));  // the other's free
    int found[2] = {};
    lockstep::check(
        cudaMemcpyAsync(&found[0], x, sizeof(int), cudaMemcpyDefault, stream));
    lockstep::check(
        cudaMemcpyAsync(&found[1], x + n - 1, sizeof(int), cudaMemcpyDefault, stream));
    lockstep::check(cudaFreeAsync(x, stream));
    // [/free]
    lockstep::check(cudaStreamSynchronize(stream));
    lockstep::send_message(socket, char{0});
    lockstep::report("first element", found[0]);
    lockstep::report("last element", found[1]);
    lockstep::check(cudaEventDestroy(finished));
    lockstep::check(cudaEventDestroy(filled));
    lockstep::check(cudaMemPoolDestroy(pool));
    close(descriptor);
    return found[0] == 42 && found[1] == 42;
}

int main() {
    int sockets[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) != 0) return EXIT_FAILURE;
    alarm(30);  // neither process waits for ever
    const pid_t child = fork();  // before the first CUDA call: CUDA does not survive it
    if (child < 0) return EXIT_FAILURE;
    close(sockets[child == 0 ? 0 : 1]);
    if (child == 0) {
        alarm(30);
        import_and_use(sockets[1]);
        return EXIT_SUCCESS;
    }
    const bool right = export_and_check(sockets[0]);
    int status = 0;
    waitpid(child, &status, 0);
    lockstep::report("the importer's exit status", WEXITSTATUS(status));
    return right && status == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
