#include "text.hpp"

namespace rewriter {

std::vector<string_view> lines_of(string_view text) {
    std::vector<string_view> lines;
    size_t begin = 0;
    for (size_t end; (end = text.find('\n', begin)) != text.npos; begin = end + 1)
        lines.push_back(text.substr(begin, end - begin));
    lines.push_back(text.substr(begin));
    return lines;
}

string joined(const std::vector<string>& parts, string_view separator) {
    size_t size = 0;
    for (const string& part : parts) size += part.size() + separator.size();
    string all;
    all.reserve(size);
    for (size_t i = 0; i < parts.size(); ++i) {
        if (i) all += separator;
        all += parts[i];
    }
    return all;
}

bool starts_with(string_view text, string_view prefix) {
    return text.substr(0, prefix.size()) == prefix;
}

bool ends_with(string_view text, string_view suffix) {
    return text.size() >= suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
}

bool holds(string_view text, string_view part) { return text.find(part) != text.npos; }

string_view trimmed(string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

static bool of_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool of_name(char character) {
    return of_word(character) || character == '.' || character == '$' || character == '-';
}

string replaced(string_view text, string_view old, string_view by) {
    string all;
    size_t begin = 0;
    for (size_t at; (at = text.find(old, begin)) != text.npos; begin = at + old.size()) {
        all += text.substr(begin, at - begin);
        all += by;
    }
    all += text.substr(begin);
    return all;
}

size_t balanced(string_view text, size_t start, bool angles) {
    int depth = 0;
    for (size_t at = start; at < text.size(); ++at) {
        char c = text[at];
        if (c == '"') {
            at = text.find('"', at + 1);
            if (at == text.npos) break;
            continue;
        }
        depth += c == '(' || c == '[' || c == '{' || (angles && c == '<');
        depth -= c == ')' || c == ']' || c == '}' || (angles && c == '>');
        if (depth == 0) return at + 1;
    }
    return text.npos;
}

std::vector<string_view> split(string_view text) {
    std::vector<string_view> parts;
    if (trimmed(text).empty()) return parts;
    int depth = 0;
    size_t begin = 0;
    for (size_t at = 0; at < text.size(); ++at) {
        char c = text[at];
        if (c == '"') {
            at = text.find('"', at + 1);
            if (at == text.npos) break;
            continue;
        }
        depth += c == '(' || c == '[' || c == '{' || c == '<';
        depth -= c == ')' || c == ']' || c == '}' || c == '>';
        if (c == ',' && depth == 0) {
            parts.push_back(trimmed(text.substr(begin, at - begin)));
            begin = at + 1;
        }
    }
    parts.push_back(trimmed(text.substr(begin)));
    return parts;
}

size_t symbol_end(string_view text, size_t start) {
    if (start + 1 >= text.size() || (text[start] != '@' && text[start] != '%')) return start;
    size_t at = start + 1;
    if (text[at] == '"') {
        size_t end = text.find('"', at + 1);
        return end == text.npos ? start : end + 1;
    }
    while (at < text.size() && of_name(text[at])) ++at;
    return at == start + 1 ? start : at;
}

string_view bare(string_view symbol) {
    if (!symbol.empty() && (symbol[0] == '@' || symbol[0] == '%')) symbol.remove_prefix(1);
    if (symbol.size() > 1 && symbol[0] == '"') symbol = symbol.substr(1, symbol.size() - 2);
    return symbol;
}

string derived(string_view symbol, string_view suffix) {
    string made(symbol);
    made.insert(made.size() - (ends_with(symbol, "\"") ? 1 : 0), suffix);
    return made;
}

size_t find_symbol(string_view text, string_view symbol, size_t start) {
    for (size_t at; (at = text.find(symbol, start)) != text.npos; start = at + 1) {
        size_t end = at + symbol.size();
        if (symbol.back() == '"' || end == text.size() || !of_name(text[end])) return at;
    }
    return text.npos;
}

string replace_symbol(string_view text, string_view symbol, string_view by) {
    string all;
    size_t begin = 0;
    for (size_t at; (at = find_symbol(text, symbol, begin)) != text.npos;) {
        all += text.substr(begin, at - begin);
        all += by;
        begin = at + symbol.size();
    }
    all += text.substr(begin);
    return all;
}

std::vector<string_view> global_symbols(string_view text) {
    std::vector<string_view> found;
    for (size_t at = 0; (at = text.find('@', at)) != text.npos;) {
        size_t end = symbol_end(text, at);
        if (end > at) found.push_back(text.substr(at, end - at));
        at = end > at ? end : at + 1;
    }
    return found;
}

size_t type_end(string_view text, size_t start) {
    if (start >= text.size()) return start;
    char c = text[start];
    if (c == '<' || c == '[' || c == '{') {
        size_t end = balanced(text, start, true);
        return end == text.npos ? start : end;
    }
    if (c == '%') return symbol_end(text, start);
    size_t at = start;
    while (at < text.size() && of_word(text[at])) ++at;
    return at;
}

string_view debug_location(string_view line) {
    constexpr string_view mark = "!dbg !";
    size_t at = line.find(mark);
    if (at == line.npos) return {};
    size_t begin = at + mark.size() - 1, end = begin + 1;
    while (end < line.size() && line[end] >= '0' && line[end] <= '9') ++end;
    return line.substr(begin, end - begin);
}

}  // namespace rewriter
