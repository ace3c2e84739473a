// A part of the rewrite "stepping": what threads assign to their scalar variables.
#pragma once

#include "metadata.hpp"
#include "rewrites.hpp"

namespace rewriter {

class assignments {
public:
    /// @param module LLVM assembly with the debug information of variables
    /// @param source the name of the program's file: variables of others are not shown
    /// @param kernels the names of the kernels
    /// @param told gets the variables that are shown
    assignments(string_view module, string_view source, const std::vector<string>& kernels,
                shown& told);

    /// Looks at a function; the calls of note() that follow are about it.
    void enter(const function& each);
    /// The instructions that follow this line: calls that tell the value of a variable.
    std::vector<string> note(string_view line);
    /// The definitions of the functions that these call.
    static string helpers();

private:
    struct local {
        string_view type;
        int number;
        std::vector<string_view> uses;
    };
    int number_of(string_view description, string_view type);
    int last_line(string_view scope) const;

    metadata all_;
    string_view source_;
    std::set<string> kernels_;
    shown& told_;
    std::unordered_map<string_view, int> last_lines_;  // by scope
    std::map<string_view, local> locals_;
    size_t loads_ = 0;
};

}  // namespace rewriter
