#include "../runtime/abi.hpp"
#include "rewrites.hpp"

namespace rewriter {

namespace {

// Constant expressions that an instruction can take the place of.
constexpr string_view liftable[] = {"getelementptr", "addrspacecast", "ptrtoint", "trunc",
                                    "add",           "sub",           "xor"};

struct expression {
    size_t begin, open, end;
    string_view operation;
};

// The innermost constant expression around a place, if there is one that can be lifted.
std::optional<expression> around(string_view body, size_t place) {
    size_t line = body.rfind('\n', place);
    line = line == body.npos ? 0 : line + 1;
    size_t open = body.find_last_of("()", place);
    if (open == body.npos || open < line || body[open] != '(') return std::nullopt;
    size_t end = body.find_first_of("()", place);
    if (end == body.npos || body[end] != ')') return std::nullopt;
    size_t begin = open;
    while (begin > line) {  // back over "getelementptr inbounds nuw "
        if (body[begin - 1] != ' ') return std::nullopt;
        size_t word = begin - 1;
        while (word > line && of_name(body[word - 1])) --word;
        string_view operation = body.substr(word, begin - 1 - word);
        if (word > line && body[word - 1] == '%') return std::nullopt;
        begin = word;
        if (operation == "inbounds" || operation == "nuw" || operation == "nusw" ||
            operation == "nsw")
            continue;
        for (string_view known : liftable)
            if (operation == known) return expression{word, open, end + 1, operation};
        return std::nullopt;
    }
    return std::nullopt;
}

// Turns constant expressions over a variable into instructions at the begin of the function.
string lift_constants(string body, string_view name, std::vector<string>& entry, int& counter) {
    for (;;) {
        std::optional<expression> found;
        auto consider = [&](size_t place) {
            auto one = around(body, place);
            if (one && (!found || one->begin < found->begin)) found = one;
            return bool(one);
        };
        for (size_t at = 0; (at = find_symbol(body, name, at)) != body.npos; ++at)
            if (consider(at)) break;
        for (size_t at = 0; (at = body.find("%emu.c", at)) != body.npos; ++at)
            if (consider(at)) break;
        if (!found) return body;
        string value = "%emu.c" + std::to_string(++counter);
        string text = body.substr(found->begin, found->open - found->begin) +
                      body.substr(found->open + 1, found->end - found->open - 2);
        if (found->operation == "add" || found->operation == "sub" || found->operation == "xor") {
            // An instruction names the type once: "add i64 %a, i64 %b" becomes "add i64 %a, %b".
            size_t comma = text.find(", i");
            if (comma != text.npos)
                text.erase(comma + 2, text.find(' ', comma + 2) + 1 - (comma + 2));
        }
        entry.push_back("  " + value + " = " + text);
        body = body.substr(0, found->begin) + value + body.substr(found->end);
    }
}

// A use that no instruction could be made of: inside of a constant.
void refuse_constants(string_view body, string_view value, string_view module) {
    for (size_t at = 0; (at = find_symbol(body, value, at)) != body.npos; ++at) {
        size_t begin = body.rfind('\n', at) + 1;
        string_view line = body.substr(begin, body.find('\n', at) - begin);
        std::vector<size_t> open;
        for (size_t i = 0; i < at - begin; ++i) {
            if (line[i] == '(' || line[i] == '[' || line[i] == '{' || line[i] == '<')
                open.push_back(i);
            if (!open.empty() &&
                (line[i] == ')' || line[i] == ']' || line[i] == '}' || line[i] == '>'))
                open.pop_back();
        }
        // Arguments of a call follow its name at once; a phi's pairs stand in brackets of their
        // own.
        if (open.empty()) continue;
        size_t place = open.back();
        bool argument = line[place] == '(' && place > 0 && line[place - 1] != ' ';
        if (!argument && !(line[place] == '[' && holds(line, " = phi ")))
            unknown_form("shared_variables", module, line);
    }
}

}  // namespace

std::optional<shared_variable> shared_variable_of(string_view line) {
    auto found = starts_with(line, "@") ? variable_of(line) : std::nullopt;
    if (!found || found->constant) return std::nullopt;
    cursor read(found->rest);
    if (found->declared_only()) {
        // A table of virtual functions that stands elsewhere has no length, either.
        if (starts_with(found->name, "@_ZTV") || !starts_with(found->type, "[0 x "))
            return std::nullopt;
        return shared_variable{emulator_abi::dynamic_shared_variable, found->name, found->type, {}};
    }
    // All other variables have a value.
    if (!read.eat(" undef") && !read.eat(" poison")) return std::nullopt;
    string alignment = "1";
    for (string_view part : split(read.rest()))
        if (cursor after(part); after.eat("align ")) alignment = after.rest();
    return shared_variable{0, found->name, found->type, alignment};
}

string shared_variables(string_view module) {
    std::vector<shared_variable> all, dynamic;
    string rows;
    string rest = with_lines(module, [&](string_view line) -> std::optional<string> {
        auto found = shared_variable_of(line);
        if (!found) return std::nullopt;
        if (found->number == 0) found->number = int(all.size());
        (found->number < 0 ? dynamic : all).push_back(*found);
        return "";
    });
    size_t defined = all.size();
    for (const shared_variable& one : all)
        rows += "{i32, i32} {" + size_of(one.type, "i32") + ", i32 " + one.alignment + "}, ";
    rows += "{i32, i32} {" + size_of("i8", "i32") + ", i32 1}";
    all.insert(all.end(), dynamic.begin(), dynamic.end());
    for (string_view line : lines_of(rest))
        if (starts_with(line, "@"))
            for (const shared_variable& one : all)
                if (find_symbol(line, one.name) != line.npos)
                    unknown_form("shared_variables", module, line);
    bool users = false;
    rest = with_functions(rest, [&](const function& each) -> std::optional<string> {
        std::vector<string> entry;
        int counter = 0;
        string body(each.body);
        for (const shared_variable& one : all) {
            if (find_symbol(body, one.name) == body.npos) continue;
            std::vector<string> lifted;
            body = lift_constants(std::move(body), one.name, lifted, counter);
            string number = one.number < 0 ? "d" : std::to_string(one.number);
            string value = "%emu.s" + number + "." + std::to_string(entry.size());
            entry.push_back("  " + value + " = call ptr @" + emulator_abi::names::shared + "(i32 " +
                            std::to_string(one.number) + ")");
            for (const string& line : lifted)
                entry.push_back(replace_symbol(line, one.name, value));
            body = replace_symbol(body, one.name, value);
            refuse_constants(body, value, module);
        }
        if (entry.empty()) return std::nullopt;
        users = true;
        string_view label = string_view(body).substr(0, body.find('\n') + 1);
        size_t end = 0;
        while (end < label.size() && of_name(label[end])) ++end;
        if (end == 0 || label[end] != ':') label = {};
        return string(each.head) + "\n" + string(label) + joined(entry, "\n") + "\n" +
               body.substr(label.size());
    });
    string name = emulator_abi::names::shared;
    if (users)
        rest += "\ndeclare ptr @" + name +
                "(i32) #9999\nattributes #9999 = { nounwind willreturn memory(none) }\n";
    return rest + "\n@" + emulator_abi::names::shared_variables + " = constant [" +
           std::to_string(defined + 1) + " x {i32, i32}] [" + rows + "]\n";
}

}  // namespace rewriter
