// What the rewrites look up in a module: its functions, variables and places, and how they give up.
#pragma once

#include <functional>
#include <map>
#include <unordered_map>

#include "text.hpp"

namespace rewriter {

/// The places in the source of what a module does, numbered in the order in which they are asked
/// for.
class places {
public:
    /// @param module must live as long as this does
    /// @param apart gives each question a number of its own: the stepper tells the accesses of a
    /// line apart
    explicit places(string_view module, bool apart = false);

    /// The number of a location ("!12"); abi::unknown_place for none.
    int number(string_view location);
    /// "file:line" of a location, or nothing if the compiler made it up.
    string text(string_view location) const;
    /// The line of a location if it lies in a file of this name; else 0.
    int line_in(string_view location, string_view file) const;
    const std::vector<string>& table() const { return table_; }

private:
    struct location {
        int line;
        string_view scope;
    };
    string_view file_of(const location& where) const;

    string_view module_;
    bool apart_;
    std::unordered_map<string_view, string_view> files_, scopes_;
    std::unordered_map<string_view, location> locations_;
    std::unordered_map<string, int> numbers_;
    std::vector<string> table_;
};

/// Whether a module was rewritten for the stepper.
bool with_steps(string_view module);

/// Ends the build: the program needs what the emulator lacks; the text names it.
[[noreturn]] void lacking(const string& what);

/// Ends the build: a rewrite does not know the form of a line, and leaving it would drop a check.
/// @param rewrite the name of the rewrite
/// @param module where the line's place is looked up
/// @param line of LLVM assembly, as the rewrite found it
[[noreturn]] void unknown_form(string_view rewrite, string_view module, string_view line);

/// A definition of a function: from "define" to the bracket that ends it.
struct function {
    size_t begin, end;
    string_view head;  // the first line, with its bracket
    string_view body;  // what follows, with the last bracket
    string_view name;  // with its sign
};
std::vector<function> functions_of(string_view module);

/// Puts something in place of each function; nothing leaves it as it is.
string with_functions(string_view module,
                      const std::function<std::optional<string>(const function&)>& rewrite);

/// Puts something in place of each line; nothing leaves it as it is.
string with_lines(string_view module,
                  const std::function<std::optional<string>(string_view line)>& rewrite);

/// A line that defines or declares a variable.
struct variable {
    string_view name;  // with its sign
    string_view linkage;  // words between = and the kind
    bool constant;
    string_view before;  // the line up to the type
    string_view type;
    string_view rest;  // after the type: value and attributes
    bool declared_only() const;
};

/// What a line that begins with @ says of a variable; none if it is about something else.
std::optional<variable> variable_of(string_view line);

/// The line of a variable with this name, without its sign and quotes; none if there is none.
std::optional<variable> find_variable(string_view module, string_view name);

/// The strings that a module defines, by the names of their variables; without the final zero.
std::map<string_view, string_view> strings_of(string_view module);

/// The type of integers as wide as a pointer.
string word_of(string_view module);

/// How many bytes a type has: a constant, with the type of integers that it is of.
string size_of(string_view type, string_view word);

/// A variable on the stack; `counted` if there are as many of the type as another operand says.
struct stack_variable {
    string_view name, type;
    bool counted;
};
/// The variable that a line of a function makes; none if it makes none.
std::optional<stack_variable> stack_variable_of(string_view line);

}  // namespace rewriter
