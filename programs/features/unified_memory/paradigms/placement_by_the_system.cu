// How does a program place memory on coherent systems? There, GPU memory is a NUMA node
// of the operating system, and its calls place pages: mmap with huge pages, mbind. Here
// GPU memory is no node, so the calls place memory among the CPU's nodes only.

#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include <lockstep/report.hpp>
#include <lockstep/require_device.hpp>

#ifndef MAP_HUGE_SHIFT
#define MAP_HUGE_SHIFT 26
#endif

/// An attribute of device 0.
/// @param attribute  which one
int attribute(cudaDeviceAttr attribute) {
    int value = 0;
    lockstep::check(cudaDeviceGetAttribute(&value, attribute, 0));
    return value;
}

/// The name of what the operating system said last.
const char* reason() {
    return errno == ENOMEM   ? "refused: ENOMEM"
           : errno == EPERM  ? "refused: EPERM"
           : errno == ENOSYS ? "refused: ENOSYS"
           : errno == EINVAL ? "refused: EINVAL"
                             : "refused";
}

int main() {
    lockstep::require_device();
    // [attributes]
    lockstep::report("host page tables used",
                     attribute(cudaDevAttrPageableMemoryAccessUsesHostPageTables));
    lockstep::report("direct access from host",
                     attribute(cudaDevAttrDirectManagedMemAccessFromHost));
    lockstep::report("native CPU-GPU atomics",
                     attribute(cudaDevAttrHostNativeAtomicSupported));
    lockstep::report("GPU memory is a NUMA node",
                     attribute(cudaDevAttrNumaConfig) == cudaDeviceNumaConfigNumaNode);
    // [/attributes]

    // [place]
    constexpr std::size_t bytes = std::size_t(2) << 20;
    constexpr int huge = MAP_HUGETLB | 21 << MAP_HUGE_SHIFT;  // pages of 2^21 bytes
    void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | huge, -1, 0);
    lockstep::report("huge pages of 2 MiB", pages == MAP_FAILED ? reason() : "given");
    if (pages == MAP_FAILED)
        pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    // libnuma wraps this call: mbind, and numa_alloc_onnode for new memory
    const unsigned long node_0 = 1;  // a mask: bit k is node k
    const long bound = syscall(SYS_mbind, pages, bytes, MPOL_BIND, &node_0,
                               8 * sizeof node_0, MPOL_MF_STRICT);
    lockstep::report("mbind to the CPU's node 0", bound == 0 ? "done" : reason());
    // [/place]
    static_cast<char*>(pages)[0] = 1;  // the first touch obeys the policy
    const bool usable = static_cast<char*>(pages)[0] == 1;
    return munmap(pages, bytes) == 0 && usable ? EXIT_SUCCESS : EXIT_FAILURE;
}
