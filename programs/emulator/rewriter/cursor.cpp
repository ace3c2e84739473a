#include "text.hpp"

namespace rewriter {

bool cursor::eat(string_view wanted) {
    if (!starts_with(rest(), wanted)) return false;
    at_ += wanted.size();
    return true;
}

string_view cursor::symbol(char sign) {
    if (peek() != sign) return {};
    size_t begin = at_;
    at_ = symbol_end(text_, at_);
    return text_.substr(begin, at_ - begin);
}

string_view cursor::word() {
    size_t begin = at_;
    while (at_ < text_.size() && of_name(text_[at_]) && text_[at_] != '.' && text_[at_] != '$' &&
           text_[at_] != '-')
        ++at_;
    return text_.substr(begin, at_ - begin);
}

std::optional<long long> cursor::number() {
    long long value = 0;
    size_t begin = at_;
    for (; peek() >= '0' && peek() <= '9'; ++at_) value = value * 10 + (peek() - '0');
    return at_ == begin ? std::nullopt : std::optional(value);
}

string_view cursor::type() {
    size_t begin = at_;
    at_ = type_end(text_, at_);
    return text_.substr(begin, at_ - begin);
}

std::optional<string_view> cursor::brackets() {
    if (peek() != '(' && peek() != '[' && peek() != '{') return std::nullopt;
    size_t end = balanced(text_, at_);
    if (end == text_.npos) return std::nullopt;
    string_view inside = text_.substr(at_ + 1, end - at_ - 2);
    at_ = end;
    return inside;
}

std::optional<call> call_of(string_view line, string_view name, bool whole) {
    if (starts_with(line, "declare ") || starts_with(line, "define ")) return std::nullopt;
    for (size_t at = 0; (at = line.find(name, at)) != line.npos; ++at) {
        size_t end = symbol_end(line, at);
        if (whole ? end != at + name.size() : end <= at) continue;
        if (end >= line.size() || line[end] != '(' || !holds(line.substr(0, at), "call ")) continue;
        size_t close = balanced(line, end);
        if (close == line.npos) continue;
        return call{line.substr(0, at), line.substr(at, end - at),
                    line.substr(end + 1, close - end - 2), line.substr(close)};
    }
    return std::nullopt;
}

// Attributes of an argument: words, some with brackets or a number after them.
static void past_attributes(cursor& read) {
    for (;;) {
        cursor ahead = read;
        string_view word = ahead.word();
        if (word.empty() || word[0] < 'a' || word[0] > 'z') return;
        if (ahead.peek() == '(')
            ahead.brackets();
        else if (word == "align" && ahead.eat(" "))
            ahead.number();
        if (!ahead.eat(" ")) return;  // this was the value
        for (string_view constant : {"getelementptr", "inttoptr", "ptrtoint", "addrspacecast",
                                     "bitcast", "trunc", "add", "sub", "xor", "splat", "asm"})
            if (word == constant) return;
        read = ahead;
    }
}

argument argument_of(string_view text) {
    cursor read(text);
    argument made{};
    made.type = read.type();
    read.eat(" ");
    size_t begin = read.at();
    past_attributes(read);
    made.attributes = text.substr(begin, read.at() - begin);
    made.value = trimmed(read.rest());
    return made;
}

}  // namespace rewriter
