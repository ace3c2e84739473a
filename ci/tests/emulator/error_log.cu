// The driver's error log: what it says of refused calls, and that nothing is told that it does not
// know. With an argument: where the environment wants it.

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstring>
#include <string>
#include <vector>

#include "expect.hpp"

__global__ void nothing() {}

// The messages from a place on, without what stands in brackets; moves the place.
static std::vector<std::string> messages(CUlogIterator* place, CUresult expected = CUDA_SUCCESS) {
    std::string log(25600, '\0');
    size_t bytes = log.size();
    EXPECT(cuLogsDumpToMemory(place, log.data(), &bytes, 0) == expected);
    if (expected != CUDA_SUCCESS) return {};
    log.resize(bytes);
    std::vector<std::string> found;
    for (size_t at = 0; at < log.size(); at = log.find('\n', at) + 1) {
        size_t text = at;
        while (log[text] == '[') text = log.find(']', text) + 1;
        text = log.find_first_not_of(' ', text);
        found.push_back(log.substr(text, log.find('\n', text) - text));
    }
    return found;
}

static int heard, with_data;
static void hear(void* data, CUlogLevel level, char* message, size_t length) {
    ++heard;
    with_data += *static_cast<int*>(data);
    EXPECT(level == CU_LOG_LEVEL_ERROR && message[0] != '[' && strlen(message) == length);
}

static void texts() {
    CUlogIterator place = 0;
    EXPECT(cuLogsCurrent(&place, 0) == CUDA_SUCCESS);
    nothing<<<1, dim3(1, 1, 65)>>>();
    EXPECT(messages(&place) == (std::vector<std::string>{
                                   "One or more of block dimensions of (1,1,65) exceeds "
                                   "correspsonding maximum value of (1024,1024,64)",
                                   "Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuLaunchKernel"}));
    nothing<<<1, 1, 50000>>>();
    EXPECT(messages(&place)[0] ==
           "Requested dynamic shared memory size of 50000 bytes exceeds maximum dynamic shared "
           "memory size of 49152 bytes");
    void* memory;
    EXPECT(cudaMalloc(&memory, size_t(1) << (sizeof(size_t) * 8 - 2)) == cudaErrorMemoryAllocation);
    EXPECT(messages(&place) ==
           (std::vector<std::string>{"Returning 2 (CUDA_ERROR_OUT_OF_MEMORY) from cuMemAlloc_v2"}));
    EXPECT(cudaSetDevice(7) == cudaErrorInvalidDevice);
    EXPECT(messages(&place) ==
           (std::vector<std::string>{
               "Invalid device number 7 provided, must be in the range of 0 to 0"}));
    EXPECT(cudaGetSymbolAddress(&memory, &place) == cudaErrorInvalidSymbol);
    EXPECT(messages(&place).empty());
    CUmodule module;
    EXPECT(cuModuleLoadData(&module, "no code") == CUDA_ERROR_INVALID_IMAGE);
    EXPECT(messages(&place).size() == 3);
    cudaGetLastError();
}

static void callbacks() {
    int one = 1, ten = 10;
    CUlogsCallbackHandle first, second;
    EXPECT(cuLogsRegisterCallback(hear, &one, &first) == CUDA_SUCCESS);
    EXPECT(cuLogsRegisterCallback(hear, &ten, &second) == CUDA_SUCCESS);
    nothing<<<1, 2000>>>();
    EXPECT(heard == 4 && with_data == 22);
    EXPECT(cuLogsUnregisterCallback(first) == CUDA_SUCCESS);
    EXPECT(cudaLogsUnregisterCallback(second) == cudaSuccess);
    nothing<<<1, 2000>>>();
    EXPECT(heard == 4);
    cudaGetLastError();
}

static void many() {
    CUlogIterator begin = 0, end = 0;
    EXPECT(cuLogsCurrent(&begin, 0) == CUDA_SUCCESS);
    for (int threads = 2000; threads < 2060; ++threads) nothing<<<1, threads>>>();
    EXPECT(cuLogsCurrent(&end, 0) == CUDA_SUCCESS && end == begin + 120);
    const std::vector<std::string> kept = messages(&begin);
    EXPECT(kept.size() == 101 && begin == end);
    EXPECT(kept[0].find("Log buffer has rolled over") == 0);
    EXPECT(kept[1].find("(2010,1,1)") != std::string::npos);
    EXPECT(messages(&begin).empty());
    cudaGetLastError();
}

int main(int argc, char** argv) {
    cudaSetDevice(0);
    if (argc > 1 && strcmp(argv[1], "lacking") == 0) {
        CUlogIterator place = 0;
        EXPECT(cuLogsCurrent(&place, 0) == CUDA_SUCCESS);
        cudaEventDestroy(
            reinterpret_cast<cudaEvent_t>(16));  // it is not known what is said of that
        messages(&place, CUDA_ERROR_NOT_SUPPORTED);
        EXPECT(cuLogsCurrent(&place, 0) == CUDA_SUCCESS);
        nothing<<<1, 2000>>>();
        EXPECT(messages(&place).size() == 2);  // after it, all is
        char small[100];
        size_t bytes = sizeof small;
        EXPECT(cuLogsDumpToMemory(nullptr, small, &bytes, 0) == CUDA_ERROR_NOT_SUPPORTED);
    } else {
        texts();
        callbacks();
        many();
    }
    std::printf("%d failures\n", failures);
    return failures != 0;
}
