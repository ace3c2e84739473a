// What a module's debug information says of variables and their types.
#pragma once

#include "module.hpp"

namespace rewriter {

class metadata {
public:
    /// @param module must live as long as this does
    explicit metadata(string_view module);

    /// What "!12" stands for; nothing if there is no such node.
    string_view node(string_view name) const;
    /// The value of a field of a node, without quotes; nothing if it has none.
    static string_view field(string_view node, string_view name);
    static long long number(string_view node, string_view name);

    /// A letter of shown::variable::kind and a number of bytes, or "x" if the type ("!12") is no
    /// number.
    string kind_of(string_view type) const;
    /// The same of a type of LLVM, whose integers all count as signed.
    static string kind_of_assembly(string_view type);
    long long bytes_of(string_view type) const;
    const std::unordered_map<string_view, string_view>& nodes() const { return nodes_; }

private:
    std::unordered_map<string_view, string_view> nodes_;
};

}  // namespace rewriter
