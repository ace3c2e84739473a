// Write an arena: one block of managed memory that hands out pieces, one after the
// other. Each piece begins at a multiple of its alignment, pieces do not overlap, none
// wastes more than it must, and a piece that does not fit is refused with a null
// pointer and takes nothing. A list of words in an arena is one range: one prefetch
// moves all of it.

#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

/// Hands out pieces of one block of managed memory.
class arena {
public:
    explicit arena(std::size_t bytes) : bytes_(bytes) {
        lockstep::check(cudaMallocManaged(&begin_, bytes));
    }
    arena& operator=(arena&&) = delete;  // and so no copy
    ~arena() { cudaFree(begin_); }

    // [task]
    /// A piece of the block, or null if it does not fit.
    /// @param bytes      its size
    /// @param alignment  what its address must be a multiple of: 1, 2, 4, ... 256
    void* take(std::size_t bytes, std::size_t alignment) {
        const std::size_t at = (used_ + alignment - 1) / alignment * alignment;
        if (at + bytes > bytes_) return nullptr;
        used_ = at + bytes;
        return begin_ + at;
    }
    //= given
    //| /// A piece of the block, or null if it does not fit.
    //| /// @param bytes      its size
    //| /// @param alignment  what its address must be a multiple of: 1, 2, 4, ... 256
    //| void* take(std::size_t bytes, std::size_t /*alignment*/) {
    //|     return bytes <= bytes_ ? begin_ + used_ : nullptr;  // and the next piece?
    //| }
    //= mutant no_alignment
    //| void* take(std::size_t bytes, std::size_t /*alignment*/) {
    //|     if (used_ + bytes > bytes_) return nullptr;
    //|     used_ += bytes;
    //|     return begin_ + used_ - bytes;
    //| }
    //= mutant rounds_the_size_instead
    //| void* take(std::size_t bytes, std::size_t alignment) {
    //|     const std::size_t room = (bytes + alignment - 1) / alignment * alignment;
    //|     if (used_ + room > bytes_) return nullptr;
    //|     used_ += room;
    //|     return begin_ + used_ - room;
    //| }
    //= mutant always_256
    //| void* take(std::size_t bytes, std::size_t /*alignment*/) {
    //|     const std::size_t at = (used_ + 255) / 256 * 256;
    //|     if (at + bytes > bytes_) return nullptr;
    //|     used_ = at + bytes;
    //|     return begin_ + at;
    //| }
    //= mutant checks_without_padding
    //| void* take(std::size_t bytes, std::size_t alignment) {
    //|     if (used_ + bytes > bytes_) return nullptr;
    //|     used_ = (used_ + alignment - 1) / alignment * alignment + bytes;
    //|     return begin_ + used_ - bytes;
    //| }
    //= mutant refused_but_taken
    //| void* take(std::size_t bytes, std::size_t alignment) {
    //|     const std::size_t at = (used_ + alignment - 1) / alignment * alignment;
    //|     used_ = at + bytes;
    //|     return used_ > bytes_ ? nullptr : begin_ + at;
    //| }
    // [/task]

    char* begin() const { return begin_; }
    std::size_t bytes() const { return bytes_; }

private:
    char* begin_ = nullptr;   // a multiple of 256
    std::size_t bytes_;       // size of the block
    std::size_t used_ = 0;    // bytes of it that are taken, with the gaps
};

/// A word of a list.
struct node {
    int length;
    char* letters;
    node* next;
};

/// Counts the letters of all words.
/// @param first    the first node
/// @param letters  their number, written
__global__ void count_letters(const node* first, int* letters) {
    *letters = 0;
    for (const node* at = first; at; at = at->next)
        for (int i = 0; i < at->length; ++i) *letters += at->letters[i] != ' ';
}

int main() {
    lockstep::require_device();
    lockstep::exercise_verdict verdict;
    // size, alignment, and the byte at which the piece must begin; -1: it does not fit
    struct request {
        int bytes, alignment, place;
    };
    const std::vector<request> requests = {
        {3, 1, 0},     {8, 8, 8},     {1, 1, 16}, {16, 16, 32},
        {5, 1, 48},    {4, 4, 56},    {2, 2, 60}, {256, 256, -1},
        {193, 64, -1}, {192, 64, 64}, {1, 1, -1},
    };
    std::string advice;
    {
        arena block(256);
        for (std::size_t i = 0; i < requests.size() && advice.empty(); ++i) {
            const request& asked = requests[i];
            const char* piece =
                static_cast<const char*>(block.take(asked.bytes, asked.alignment));
            const long long place = piece ? piece - block.begin() : -1;
            if (place == asked.place) continue;
            const auto said = [](long long at) {
                return at < 0 ? std::string("is refused")
                              : "begins at byte " + std::to_string(at);
            };
            advice = "piece " + std::to_string(i) + ", of " +
                     std::to_string(asked.bytes) + " bytes aligned to " +
                     std::to_string(asked.alignment) + ", " + said(place) +
                     "; right: " + said(asked.place);
        }
    }
    verdict.holds("pieces of 256 bytes", advice.empty(), advice.c_str());
    if (!advice.empty()) return verdict.finish();

    arena block(4096);
    node* first = nullptr;
    int expected = 0;
    for (const char* word : {"page", "fault", "tile", "warp and lane", "e"}) {
        const int length = static_cast<int>(std::strlen(word));
        auto* letters = static_cast<char*>(block.take(length, 1));
        auto* made = static_cast<node*>(block.take(sizeof(node), alignof(node)));
        std::memcpy(letters, word, length);
        *made = {length, letters, first};
        first = made;
        for (int i = 0; i < length; ++i) expected += word[i] != ' ';
    }
    auto* found = static_cast<int*>(block.take(sizeof(int), alignof(int)));
    // [one-prefetch]
    const cudaMemLocation gpu{cudaMemLocationTypeDevice, 0};
    lockstep::check(
        cudaMemPrefetchAsync(block.begin(), block.bytes(), gpu, 0, nullptr));
    count_letters<<<1, 1>>>(first, found);
    // [/one-prefetch]
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    verdict.equal("letters that the GPU counts", std::vector<int>{*found},
                  std::vector<int>{expected});
    return verdict.finish();
}
