// Reads LLVM assembly as the compiler prints it: line by line, one instruction or definition a
// line.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rewriter {

using std::string;
using std::string_view;

/// The lines of a text, without their ends; as many as it has line ends, and one more.
std::vector<string_view> lines_of(string_view text);

/// Puts a separator between parts.
string joined(const std::vector<string>& parts, string_view separator);

/// Whether a text begins with another.
bool starts_with(string_view text, string_view prefix);

/// Whether a text ends with another.
bool ends_with(string_view text, string_view suffix);

/// Whether a text holds another.
bool holds(string_view text, string_view part);

/// The same text without blanks at either end.
string_view trimmed(string_view text);

/// Whether a character may stand in a name without quotes.
bool of_name(char character);

/// Replaces each occurrence.
string replaced(string_view text, string_view old, string_view by);

/// The place after the bracket that closes the one at `start`; npos if none does.
/// @param text what holds the bracket
/// @param start where that bracket is
/// @param angles whether < and > are brackets, too, as they are in types
size_t balanced(string_view text, size_t start, bool angles = false);

/// Splits at commas outside of brackets and strings.
std::vector<string_view> split(string_view text);

/// The place after the name that begins at `start` with @ or %; `start` if none does.
size_t symbol_end(string_view text, size_t start);

/// A name without its sign and quotes.
string_view bare(string_view symbol);

/// A name that another is made from: %x becomes %x.suffix, inside of the quotes if there are any.
string derived(string_view symbol, string_view suffix);

/// Where a name stands as a whole, from `start` on; npos if nowhere.
size_t find_symbol(string_view text, string_view symbol, size_t start = 0);

/// Puts a text in place of each whole occurrence of a name.
string replace_symbol(string_view text, string_view symbol, string_view by);

/// All names of functions and variables in a text, with their sign, in order.
std::vector<string_view> global_symbols(string_view text);

/// The place after the type that begins at `start`.
size_t type_end(string_view text, size_t start);

/// Where instructions say which place of the source they are of: the "!12" of "!dbg !12"; else
/// nothing.
string_view debug_location(string_view line);

/// Reads a line from left to right.
class cursor {
public:
    explicit cursor(string_view text, size_t at = 0) : text_(text), at_(at) {}

    size_t at() const { return at_; }
    string_view rest() const { return text_.substr(at_); }
    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    /// Goes past a text if it comes next.
    bool eat(string_view wanted);
    /// Goes past a name that begins with this sign, and returns it; nothing if none comes next.
    string_view symbol(char sign);
    /// Goes past letters, digits and underscores.
    string_view word();
    /// Goes past digits, and returns the number; none if no digit comes next.
    std::optional<long long> number();
    /// Goes past a type, and returns it.
    string_view type();
    /// Goes past a bracket and what it closes, and returns what is inside; none if no bracket
    /// comes.
    std::optional<string_view> brackets();

private:
    string_view text_;
    size_t at_;
};

/// A call of a function by its name.
struct call {
    string_view before;  // the line up to the function's name
    string_view name;  // with its sign
    string_view arguments;  // inside of the brackets
    string_view rest;  // after them
};

/// The call of a function whose name begins with this; none if the line holds none.
/// @param line a line of LLVM assembly
/// @param name with its sign, or the begin of that
/// @param whole whether this is the whole name
std::optional<call> call_of(string_view line, string_view name, bool whole = true);

/// What one argument of a call says: its type, then attributes, then the value.
struct argument {
    string_view type;
    string_view attributes;
    string_view value;
};
argument argument_of(string_view text);

}  // namespace rewriter
