// Let the GPU work on a linked list that the CPU built, without a copy of it. Managed
// memory makes that possible: a pointer means the same on both sides. Write the
// function that makes a node, and the function that lets the kernel run and then adds
// up the values on the CPU.

#include <vector>

#include <lockstep/command_line.hpp>
#include <lockstep/exercise_verdict.hpp>
#include <lockstep/require_device.hpp>

/// One node of a list.
struct node {
    long long value;
    node* next;
};

/// Doubles all values of a list; one thread walks it.
/// @param first  the first node, or null
__global__ void double_all(node* first) {
    for (node* at = first; at; at = at->next) at->value *= 2;
}

// [task]
/// A node that both processors can use.
/// @param value  of the node
/// @param next   the node after it, or null
node* new_node(long long value, node* next) {
    node* made = nullptr;
    lockstep::check(cudaMallocManaged(&made, sizeof *made));
    *made = {value, next};
    return made;
}

/// The sum of all values, after the GPU has doubled them.
/// @param first  the first node, or null
long long doubled_sum(node* first) {
    double_all<<<1, 1>>>(first);
    lockstep::check(cudaGetLastError());
    lockstep::check(cudaDeviceSynchronize());
    long long sum = 0;
    for (const node* at = first; at; at = at->next) sum += at->value;
    return sum;
}
//= given
//| /// A node that both processors can use.
//| /// @param value  of the node
//| /// @param next   the node after it, or null
//| node* new_node(long long value, node* next) {
//|     node* made = nullptr;
//|     lockstep::check(cudaMallocManaged(&made, sizeof *made));
//|     *made = {value, nullptr};  // and next?
//|     (void)next;
//|     return made;
//| }
//|
//| /// The sum of all values, after the GPU has doubled them.
//| /// @param first  the first node, or null
//| long long doubled_sum(node* first) {
//|     long long sum = 0;
//|     for (const node* at = first; at; at = at->next) sum += at->value;
//|     return sum;
//| }
//= mutant not_managed
//| node* new_node(long long value, node* next) {
//|     node* made = static_cast<node*>(std::malloc(sizeof *made));
//|     *made = {value, next};
//|     return made;
//| }
//| long long doubled_sum(node* first) {
//|     double_all<<<1, 1>>>(first);
//|     lockstep::check(cudaGetLastError());
//|     lockstep::check(cudaDeviceSynchronize());
//|     long long sum = 0;
//|     for (const node* at = first; at; at = at->next) sum += at->value;
//|     return sum;
//| }
//= mutant reads_too_early
//| node* new_node(long long value, node* next) {
//|     node* made = nullptr;
//|     lockstep::check(cudaMallocManaged(&made, sizeof *made));
//|     *made = {value, next};
//|     return made;
//| }
//| long long doubled_sum(node* first) {
//|     double_all<<<1, 1>>>(first);
//|     lockstep::check(cudaGetLastError());
//|     long long sum = 0;
//|     for (const node* at = first; at; at = at->next) sum += at->value;
//|     lockstep::check(cudaDeviceSynchronize());
//|     return sum;
//| }
//= mutant last_node_lost
//| node* new_node(long long value, node* next) {
//|     node* made = nullptr;
//|     lockstep::check(cudaMallocManaged(&made, sizeof *made));
//|     *made = {value, next};
//|     return made;
//| }
//| long long doubled_sum(node* first) {
//|     double_all<<<1, 1>>>(first);
//|     lockstep::check(cudaGetLastError());
//|     lockstep::check(cudaDeviceSynchronize());
//|     long long sum = 0;
//|     for (const node* at = first; at && at->next; at = at->next) sum += at->value;
//|     return sum;
//| }
// [/task]

int main(int argc, char** argv) {
    lockstep::command_line options(argc, argv);
    const int n = options.integer("n", 2000, 1, 10'000);
    options.finish();
    lockstep::require_device();
    lockstep::exercise_verdict verdict;
    for (const int nodes : {1, n}) {
        node* first = nullptr;
        long long sum = 0;
        for (int i = 1; i <= nodes; ++i) {
            first = new_node(i, first);
            sum += 2 * i;
        }
        verdict.equal(nodes == 1 ? "sum of one node" : "sum of all nodes",
                      std::vector<long long>{doubled_sum(first)},
                      std::vector<long long>{sum});
    }
    return verdict.finish();
}
