// The rewrites: each takes a module's text and returns another. A rewrite that meets a form which
// it does not know ends the build (unknown_form): to leave such a line alone would drop a check.
// What is rightly left alone stands at each rewrite, with the reason.
#pragma once

#include <set>

#include "module.hpp"

namespace rewriter {

// -- before the optimizer: the device side as the compiler made it

/// Takes annotations out, and tells of them.
struct annotations {
    std::map<string, std::vector<long long>> clusters;  // sizes by kernel
    std::map<string, long long> bounds;  // the most threads of a block, by kernel
    std::set<string> managed;  // variables, with their sign
};
string without_annotations(string_view module, annotations& told);

/// Sends the device side's calls of malloc, free and a failed assertion to the runtime; refuses
/// those of functions that the host alone has.
string renamed(string_view module);

/// Gives variables of one file the names everywhere that relocatable device code defines them with.
string named_as_defined(string_view module);

/// Lets both sides use the host's variable, with the value that the device's begins with.
string managed_variable(string_view module, string& host, string_view name);

/// A line that defines a shared variable, or declares dynamic shared memory.
struct shared_variable {
    int number;  // in the table of their sizes, or abi::dynamic_shared_variable; 0 in a line alone
    string_view name, type;  // the name with its sign
    string alignment;
};
std::optional<shared_variable> shared_variable_of(string_view line);

/// Takes shared variables out, asks the runtime where they are, and adds a table of their sizes.
string shared_variables(string_view module);

/// A line with inline assembly, in parts.
struct inline_assembly {
    string_view before, type, text, arguments;  // up to the call; of its result; of the assembly
    string_view after;
};
/// An instruction in place of one that differs from it by a hint for caches alone; nothing, an
/// empty line included, stands for one that is a hint and no more. None if it is another.
std::optional<string> without_hints(const inline_assembly& found);

/// Puts calls in place of inline assembly that reads a special register; refuses all other, but
/// what only hints at caches.
string special_registers(string_view module);

/// Each printf is told how many arguments follow its format: that is what it gives back in a
/// kernel.
string told_arguments(string_view module);

/// Conversions of what an integer cannot hold end at its limits, as on a GPU.
string saturated(string_view module);

/// Makes functions that ask which lanes are active a part of their callers.
string inlined(string_view module);

/// Asks the thread sanitizer to look at every function.
string all_checked(string_view module);

/// A function that calls a kernel with what an array of pointers points to, and its arguments'
/// sizes.
string trampoline(int number, string_view kernel, string_view module,
                  const std::vector<string>& names);

/// The names of a kernel's arguments as its launch passes them, empty objects included.
std::vector<string> argument_names(string_view host, string_view stub);

/// What the device side shows of the launches that it makes itself.
struct launches {
    struct buffer {
        std::vector<long long> offsets;  // of the arguments
        std::vector<bool> filled;  // whether an argument is more than an empty object
    };
    std::map<string, buffer> buffers;  // by kernel, as the compiler fills them
    std::set<string> by_hand;  // kernels that the program launches without <<<>>>
};
launches launches_in(string_view module);

/// The compiler takes the buffer of a launch to be aligned to 64 bytes, which it need not be.
string aligned_buffers(string_view module);

/// Names for the arguments of a kernel that only kernels launch, of which the host knows nothing.
/// `passed` is what a launch puts into the buffer; nothing: all arguments are more than empty.
std::vector<string> argument_names(string_view module, string_view kernel,
                                   const launches::buffer& passed);

/// Where the arguments of a kernel lie in the buffer of a launch.
string offsets_table(int number, string_view kernel, string_view module,
                     const std::vector<string>& names, const launches& made);

/// Lets a kernel's table of sizes stand for the kernel wherever the device side names it as a
/// value.
string named_by_tables(string_view module, const std::vector<string>& kernels);

/// Gives the function that registers the host side one name.
string registered_plainly(string_view host);

/// Gives shifts by the width or more, and the division of the least number by -1, what a GPU gives:
/// C++ leaves both open.
string without_undefined(string_view module);

/// Makes each `float` that is no number 0x7fffffff, as a GPU's arithmetic does, before it is stored
/// or looked at as bits.
string canonical(string_view module);

/// Tells the runtime before a thread leaves a kernel by a `return` above its end.
/// @param module the device side
/// @param kernels their names, without sign and quotes
string early_returns(string_view module, const std::set<string>& kernels);

/// Tells the runtime of each access of the host through a pointer, other than to atomic or volatile
/// memory.
string host_accesses(string_view host, places& where);

/// Puts a guard zone after a variable, so that one index too many meets no other.
string guarded(string_view module, string_view name);

/// What the stepper may show of a program.
struct shown {
    struct variable {
        string name;
        int first, last;  // the lines where it is in scope
        // A letter and its bytes: i signed, u unsigned, f floating-point, b truth.
        string kind;
    };
    struct array {  // of shared memory
        int number;
        string name, kind;  // of what it holds; "x" where that is not known
        long long bytes;  // of an element
        string extents;  // "32x33"; empty where the launch decides
    };
    std::set<int> lines;
    std::vector<variable> variables;
    std::vector<array> arrays;
};

/// The shared variables of a module, as its debug information describes them.
std::vector<shown::array> shown_arrays(string_view module);

/// Puts a call in front of each source line of the program's own functions, and after each
/// assignment to a scalar of theirs.
/// @param module LLVM assembly of the device side
/// @param source the file's name
/// @param kernels whose arguments, the same for all threads, are shown only if they are assigned to
/// @param told gets the lines and variables
string stepping(string_view module, string_view source, const std::vector<string>& kernels,
                shown& told);

// -- after the optimizer

/// Takes out copies of what no field covers.
string without_padding(string_view module);

/// Asks after each array or structure on the stack whether the stack holds it.
string frames(string_view module);

/// Puts checks of the addresses in front of copies and fills of structures.
string aligned_copies(string_view module);

/// Tells calls apart at which lanes or threads wait for one another.
string numbered(string_view module);

// -- after the thread sanitizer

/// Puts a check of its bounds in front of each access to an array on the stack, as far as the
/// address is made from the array's in the same function.
string local_arrays(string_view module, places& where);

/// Sends the sanitizer's calls to the emulator's checks, with size and place.
string accesses(string_view module, places& where);

/// The definitions of the quick checks that a module calls.
string quick_checks(string_view module, string_view word);

/// Adds a table of where the device side's own variables lie, and how many bytes each has.
string variables_table(string_view module);

// -- all together

/// A program's two sides, rewritten so that they link with the runtime.
struct device_side {
    string module, host;
    std::vector<string> kernels;
    annotations told;
    std::vector<string> managed;
    std::vector<std::pair<string, bool>> variables;  // the second: whether it is constant
    std::vector<string> kept;  // names that the optimizer has to keep
};
device_side device(string_view module, string_view host);

/// Who calls whom in a module, and what is reached. The module must live as long as this does.
class calls {
public:
    explicit calls(string_view module);

    using names = std::set<string_view>;
    /// Functions, defined here or not, that may run when `start` does.
    names reached(string_view start) const;
    /// Whether any function calls through a pointer.
    bool indirect() const;
    /// Whether a thread may give way in `start`.
    bool yields(string_view start) const;
    /// Numbers of the shared variables that `start` can reach.
    std::set<long long> shared(string_view start) const;
    /// What a function names, itself excepted.
    const names& called(string_view name) const;
    const std::map<string_view, function>& bodies() const { return bodies_; }

private:
    std::map<string_view, function> bodies_;
    std::map<string_view, names> called_;
    names pointed_;
    std::set<string_view> indirect_;  // functions that call through a pointer
};

}  // namespace rewriter
