#include "graph_dot.hpp"

#include <cstdio>
#include <string>

namespace emulator {

namespace {

const char* word_of(cudaGraphNodeType type) {
    switch (type) {
        case cudaGraphNodeTypeKernel: return "KERNEL";
        case cudaGraphNodeTypeMemcpy: return "MEMCPY";
        case cudaGraphNodeTypeMemset: return "MEMSET";
        case cudaGraphNodeTypeHost: return "HOST";
        case cudaGraphNodeTypeGraph: return "GRAPH";
        case cudaGraphNodeTypeEmpty: return "EMPTY";
        case cudaGraphNodeTypeWaitEvent: return "EVENT_WAIT";
        case cudaGraphNodeTypeEventRecord: return "EVENT_RECORD";
        case cudaGraphNodeTypeMemAlloc: return "MEM_ALLOC";
        case cudaGraphNodeTypeMemFree: return "MEM_FREE";
        case cudaGraphNodeTypeConditional: return "CONDITIONAL";
        default: return "OTHER";
    }
}

struct drawing {
    FILE* file;
    int graphs = 0;

    void draw(const task_graph& graph) {
        const std::string name = "graph_" + std::to_string(++graphs);
        fprintf(file, "subgraph cluster_%d {\nlabel=\"%s\" graph[style=\"dashed\"];\n", graphs,
                name.c_str());
        std::map<const graph_node*, std::string> names;
        for (const auto& node : graph.nodes) {
            const std::string one = name + "_node_" + std::to_string(names.size());
            names[node.get()] = one;
            std::string label = std::to_string(names.size() - 1) + "\\n" + word_of(node->type);
            if (node->type == cudaGraphNodeTypeKernel)
                label += "\\n" + std::string(node->launch.kernel->symbol);
            fprintf(file, "\"%s\"[style=\"solid\" shape=\"%s\" label=\"%s\"];\n", one.c_str(),
                    node->type == cudaGraphNodeTypeKernel ? "octagon" : "rectangle", label.c_str());
        }
        for (const auto& node : graph.nodes)
            for (const graph_edge& edge : node->after)
                fprintf(file, "\"%s\" -> \"%s\";\n", names[edge.from].c_str(),
                        names[node.get()].c_str());
        for (const auto& node : graph.nodes) {
            if (node->child) draw(*node->child);
            for (const auto& body : node->bodies) draw(*body);
        }
        fprintf(file, "}\n");
    }
};

}  // namespace

bool write_dot(const task_graph& graph, const char* path, unsigned) {
    FILE* file = fopen(path, "w");
    if (!file) return false;
    fprintf(file, "digraph dot {\n");
    drawing{file}.draw(graph);
    fprintf(file, "}\n");
    return fclose(file) == 0;
}

}  // namespace emulator
