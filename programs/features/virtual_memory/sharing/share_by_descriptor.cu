// How does memory get into another process? Create it exportable, export it as a file
// descriptor, send that through a socket; the other process imports it, maps it at an
// address of its own and sets its own access. Memory lives as long as any process
// refers to it: the exporter lets go first, and the importer goes on.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cuda.h>
#include <cuda_runtime.h>

#include <lockstep/driver.hpp>
#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

constexpr auto by_descriptor = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

/// Adds a number to each element.
/// @param x       ints in device memory, changed; one for each thread
/// @param number  the number
__global__ void add(int* x, int number) {
    x[blockIdx.x * blockDim.x + threadIdx.x] += number;
}

// [socket]
/// A message of one number, and room for a descriptor beside it. It points into itself,
/// so it is neither copied nor moved.
struct message {
    explicit message(std::size_t& bytes) : part{&bytes, sizeof bytes} {
        header.msg_iov = &part;
        header.msg_iovlen = 1;
        header.msg_control = space;
        header.msg_controllen = sizeof space;
    }
    message& operator=(message&&) = delete;
    msghdr header{};
    iovec part;
    alignas(cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
};

/// Sends a number, and gives the receiver a descriptor for the same object.
bool send_descriptor(int socket, int descriptor, std::size_t bytes) {
    message sent(bytes);
    cmsghdr* rights = CMSG_FIRSTHDR(&sent.header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(rights), &descriptor, sizeof descriptor);
    return sendmsg(socket, &sent.header, MSG_NOSIGNAL) == sizeof bytes;
}
// [/socket]

// [receive]
/// Receives what send_descriptor() sent; -1 if anything else comes, or nothing.
int receive_descriptor(int socket, std::size_t& bytes) {
    message received(bytes);
    constexpr int flags = MSG_WAITALL | MSG_CMSG_CLOEXEC;
    if (recvmsg(socket, &received.header, flags) != sizeof bytes) return -1;
    if (received.header.msg_flags & MSG_CTRUNC)
        return -1;  // more than there is room for
    const cmsghdr* rights = CMSG_FIRSTHDR(&received.header);
    int descriptor = -1;
    if (!rights || rights->cmsg_level != SOL_SOCKET ||
        rights->cmsg_type != SCM_RIGHTS ||
        rights->cmsg_len != CMSG_LEN(sizeof descriptor))
        return -1;
    std::memcpy(&descriptor, CMSG_DATA(rights), sizeof descriptor);
    return descriptor;
}
// [/receive]

/// Reserves addresses for some memory, maps it there, and lets device 0 use it.
CUdeviceptr map(CUmemGenericAllocationHandle memory, std::size_t bytes) {
    // [map]
    CUdeviceptr address = 0;
    lockstep::check(cuMemAddressReserve(&address, bytes, 0, 0, 0));
    lockstep::check(cuMemMap(address, bytes, 0, memory, 0));
    CUmemAccessDesc access{};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    lockstep::check(cuMemSetAccess(address, bytes, &access, 1));
    lockstep::check(cuMemRelease(memory));  // the mapping keeps it
    // [/map]
    return address;
}

/// Elements that hold a number.
int elements_equal(CUdeviceptr address, std::size_t bytes, int number) {
    std::vector<int> x(bytes / sizeof(int));
    lockstep::check(cuMemcpyDtoH(x.data(), address, bytes));
    int equal = 0;
    for (int element : x) equal += element == number;
    return equal;
}

/// The second process. Answers twice: after its work, and with what it sees at last.
void import_and_use(int socket) {
    std::size_t bytes = 0;
    const int descriptor = receive_descriptor(socket, bytes);
    if (descriptor < 0) return;
    lockstep::check(cudaFree(nullptr));  // creates the primary context
    // [import]
    CUmemGenericAllocationHandle memory = 0;
    void* by_value = reinterpret_cast<void*>(std::intptr_t{descriptor});
    lockstep::check(cuMemImportFromShareableHandle(&memory, by_value, by_descriptor));
    close(descriptor);  // the handle keeps the memory
    const CUdeviceptr address = map(memory, bytes);
    const int n = bytes / sizeof(int);
    add<<<n / 256, 256>>>(reinterpret_cast<int*>(address), 5);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    // [/import]
    int seen = 0, let_go = 0;
    if (write(socket, &seen, sizeof seen) < 0) return;
    if (read(socket, &let_go, sizeof let_go) <= 0) return;
    seen = elements_equal(address, bytes, 42);
    if (write(socket, &seen, sizeof seen) < 0) return;
}

/// The first process.
/// @return whether both processes saw what they should
bool export_and_check(int socket) {
    lockstep::require_device();
    lockstep::check(cudaFree(nullptr));  // creates the primary context
    // [export]
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    properties.requestedHandleTypes = by_descriptor;  // without it, no export
    std::size_t granularity = 0;
    lockstep::check(cuMemGetAllocationGranularity(&granularity, &properties,
                                                  CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    const std::size_t wanted = 4 << 20;
    const std::size_t bytes = (wanted + granularity - 1) / granularity * granularity;
    CUmemGenericAllocationHandle memory = 0;
    lockstep::check(cuMemCreate(&memory, bytes, &properties, 0));
    int descriptor = -1;
    lockstep::check(
        cuMemExportToShareableHandle(&descriptor, memory, by_descriptor, 0));
    // [/export]
    const CUdeviceptr address = map(memory, bytes);
    const int n = bytes / sizeof(int);
    // [hand-over]
    lockstep::check(cuMemsetD32(address, 37, n));
    lockstep::check(cudaDeviceSynchronize());  // the data is there before the message
    if (!send_descriptor(socket, descriptor, bytes)) return false;
    close(descriptor);
    // [/hand-over]
    int answer = 0;
    if (read(socket, &answer, sizeof answer) <= 0) return false;
    const int seen_here = elements_equal(address, bytes, 42);
    // [let-go]
    lockstep::check(cuMemUnmap(address, bytes));
    lockstep::check(cuMemAddressFree(address, bytes));
    if (write(socket, &answer, sizeof answer) < 0) return false;
    // [/let-go]
    if (read(socket, &answer, sizeof answer) <= 0) return false;
    lockstep::report("elements", n);
    lockstep::report("42s seen by the exporter", seen_here);
    lockstep::report("42s seen by the importer", answer);
    return seen_here == n && answer == n;
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
    close(sockets[0]);
    waitpid(child, nullptr, 0);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
