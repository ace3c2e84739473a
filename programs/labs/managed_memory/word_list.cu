// Build a linked list of words that the CPU and the GPU can both walk. A node has a
// pointer to its letters and one to the next node. In the starter, nodes and letters
// come from malloc, so that the check finds the first pointer that the GPU cannot
// follow, and launches nothing. Write the function that adds a word.

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string>
#include <vector>

#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

/// A word of the list.
struct node {
    int length;     // number of letters
    int e_count;    // how many of them are an e, written by the kernel
    char* letters;  // length characters, a copy of the word
    node* next;     // the node after it, or null
};

/// Turns all letters into capitals, and counts those that were an e.
/// @param first  the first node
__global__ void capitalize(node* first) {
    for (node* at = first; at; at = at->next) {
        at->e_count = 0;
        for (int i = 0; i < at->length; ++i) {
            at->e_count += at->letters[i] == 'e';
            at->letters[i] += 'A' - 'a';
        }
    }
}

// [task]
/// A node with a copy of a word, which both processors can use.
/// @param word    the letters; the caller overwrites them afterwards
/// @param length  how many
/// @param next    the node after it, or null
node* add_word(const char* word, int length, node* next) {
    node* made = nullptr;
    char* letters = nullptr;
    lockstep::check(cudaMallocManaged(&made, sizeof *made));
    lockstep::check(cudaMallocManaged(&letters, length));
    std::memcpy(letters, word, length);
    *made = {length, -1, letters, next};
    return made;
}
//= given
//| /// A node with a copy of a word, which both processors can use.
//| /// @param word    the letters; the caller overwrites them afterwards
//| /// @param length  how many
//| /// @param next    the node after it, or null
//| node* add_word(const char* word, int length, node* next) {
//|     node* made = static_cast<node*>(std::malloc(sizeof *made));
//|     char* letters = static_cast<char*>(std::malloc(length));
//|     std::memcpy(letters, word, length);
//|     *made = {length, -1, letters, next};
//|     return made;
//| }
//= mutant nodes_only
//| node* add_word(const char* word, int length, node* next) {
//|     node* made = nullptr;
//|     lockstep::check(cudaMallocManaged(&made, sizeof *made));
//|     char* letters = static_cast<char*>(std::malloc(length));
//|     std::memcpy(letters, word, length);
//|     *made = {length, -1, letters, next};
//|     return made;
//| }
//= mutant last_node_left_out
//| node* add_word(const char* word, int length, node* next) {
//|     node* made = nullptr;
//|     char* letters = nullptr;
//|     if (next) {
//|         lockstep::check(cudaMallocManaged(&made, sizeof *made));
//|         lockstep::check(cudaMallocManaged(&letters, length));
//|     } else {
//|         made = static_cast<node*>(std::malloc(sizeof *made));
//|         letters = static_cast<char*>(std::malloc(length));
//|     }
//|     std::memcpy(letters, word, length);
//|     *made = {length, -1, letters, next};
//|     return made;
//| }
//= mutant shares_the_word
//| node* add_word(const char* word, int length, node* next) {
//|     node* made = nullptr;
//|     lockstep::check(cudaMallocManaged(&made, sizeof *made));
//|     *made = {length, -1, const_cast<char*>(word), next};
//|     return made;
//| }
//= mutant letters_not_copied
//| node* add_word(const char* word, int length, node* next) {
//|     node* made = nullptr;
//|     char* letters = nullptr;
//|     lockstep::check(cudaMallocManaged(&made, sizeof *made));
//|     lockstep::check(cudaMallocManaged(&letters, length));
//|     std::memset(letters, word[0], length);
//|     *made = {length, -1, letters, next};
//|     return made;
//| }
//= mutant next_forgotten
//| node* add_word(const char* word, int length, node* /*next*/) {
//|     node* made = nullptr;
//|     char* letters = nullptr;
//|     lockstep::check(cudaMallocManaged(&made, sizeof *made));
//|     lockstep::check(cudaMallocManaged(&letters, length));
//|     std::memcpy(letters, word, length);
//|     *made = {length, -1, letters, nullptr};
//|     return made;
//| }
// [/task]

/// Whether a kernel can follow a pointer.
bool on_both_sides(const void* p) {
    cudaPointerAttributes kind{};
    lockstep::check(cudaPointerGetAttributes(&kind, p));
    return kind.type == cudaMemoryTypeManaged;
}

int main() {
    lockstep::require_device();
    const std::vector<std::string> words = {"lane", "prefetch", "grid", "wavefront",
                                            "peer", "eviction", "e",    "coherence"};
    char* scratch = nullptr;  // the word that is being added, in one place for all
    lockstep::check(cudaMallocManaged(&scratch, 16));
    node* first = nullptr;
    for (std::size_t i = words.size(); i-- > 0;) {
        std::copy(words[i].begin(), words[i].end(), scratch);
        first = add_word(scratch, static_cast<int>(words[i].size()), first);
    }
    lockstep::exercise_verdict verdict;
    std::string advice;
    int number = 0;
    const int count = static_cast<int>(words.size());
    const node* at = first;
    for (; at && number < count && advice.empty(); at = at->next, ++number)
        if (!on_both_sides(at) || !on_both_sides(at->letters))
            advice = "word " + std::to_string(number) + ", \"" + words[number] +
                     "\": no kernel can reach its " +
                     (on_both_sides(at) ? "letters" : "node");
    if (advice.empty() && (at || number < count))
        advice = at ? "the list goes on after its last word: what is its next?"
                    : "the list ends after word " + std::to_string(number - 1) +
                          ", with " + std::to_string(count - number) +
                          " words missing: what is the next of a node?";
    verdict.holds("the GPU can follow all", advice.empty(), advice.c_str());
    if (!advice.empty()) return verdict.finish();

    capitalize<<<1, 1>>>(first);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    std::vector<int> found, expected;
    number = 0;
    for (at = first; at; at = at->next, ++number) {
        std::string word = words[number];
        found.push_back(at->e_count);
        expected.push_back(int(std::count(word.begin(), word.end(), 'e')));
        for (char& letter : word) letter = char(std::toupper(letter));
        if (advice.empty() && std::string(at->letters, at->length) != word)
            advice = "word " + std::to_string(number) + " is not " + word +
                     ": has its node a copy of its letters?";
    }
    verdict.holds("capital letters", advice.empty(), advice.c_str());
    verdict.equal("number of e in each word", found, expected);
    return verdict.finish();
}
