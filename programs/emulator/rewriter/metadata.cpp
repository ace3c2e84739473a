#include <cstdlib>

#include "metadata.hpp"

namespace rewriter {

metadata::metadata(string_view module) {
    for (string_view line : lines_of(module)) {
        if (line.empty() || line[0] != '!') continue;
        size_t end = line.find(" = ");
        if (end == line.npos) continue;
        string_view value = line.substr(end + 3);
        if (starts_with(value, "distinct ")) value.remove_prefix(9);
        nodes_[line.substr(0, end)] = value;
    }
}

string_view metadata::node(string_view name) const {
    auto found = nodes_.find(name);
    return found == nodes_.end() ? string_view() : found->second;
}

string_view metadata::field(string_view node, string_view name) {
    for (string_view before : {"(", " "}) {
        string begin = string(before) + string(name) + ": ";
        size_t at = node.find(begin);
        if (at == node.npos) continue;
        string_view value = node.substr(at + begin.size());
        if (starts_with(value, "\"")) return value.substr(1, value.find('"', 1) - 1);
        return value.substr(0, value.find_first_of(",)"));
    }
    return {};
}

long long metadata::number(string_view node, string_view name) {
    return std::atoll(string(field(node, name)).c_str());
}

// Vectors of CUDA, such as float4, are structures of which only the name tells what they hold.
static string kind_of_vector(string_view name) {
    constexpr struct {
        string_view begin, kind;
    } known[] = {{"float", "f4"}, {"double", "f8"}, {"int", "i4"}, {"uint", "u4"}};
    for (auto& each : known)
        if (name.size() == each.begin.size() + 1 && starts_with(name, each.begin) &&
            name.back() >= '1' && name.back() <= '4')
            return string(each.kind);
    return "x";
}

string metadata::kind_of(string_view type) const {
    string_view found = node(type);
    if (starts_with(found, "!DIDerivedType(")) {
        string_view tag = field(found, "tag");
        if (tag == "DW_TAG_typedef" || tag == "DW_TAG_const_type" || tag == "DW_TAG_volatile_type")
            return kind_of(field(found, "baseType"));
        return "x";
    }
    if (starts_with(found, "!DICompositeType(")) {
        string_view tag = field(found, "tag");
        if (tag == "DW_TAG_enumeration_type") return kind_of(field(found, "baseType"));
        return tag == "DW_TAG_structure_type" ? kind_of_vector(field(found, "name")) : "x";
    }
    if (!starts_with(found, "!DIBasicType(")) return "x";
    string_view encoding = field(found, "encoding");
    string bytes = std::to_string(number(found, "size") / 8);
    if (encoding == "DW_ATE_boolean") return "b" + bytes;
    if (encoding == "DW_ATE_float") return "f" + bytes;
    if (starts_with(encoding, "DW_ATE_unsigned")) return "u" + bytes;
    if (starts_with(encoding, "DW_ATE_signed")) return "i" + bytes;
    return "x";
}

long long metadata::bytes_of(string_view type) const {
    string_view found = node(type);
    if (long long bits = number(found, "size")) return bits / 8;
    string_view base = field(found, "baseType");
    return base.empty() ? 0 : bytes_of(base);
}

string metadata::kind_of_assembly(string_view type) {
    constexpr struct {
        string_view type, kind;
    } known[] = {{"float", "f4"}, {"double", "f8"}, {"i16", "i2"}, {"i32", "i4"}, {"i64", "i8"}};
    for (auto& each : known)
        if (type == each.type) return string(each.kind);
    constexpr string_view structure = "%struct.";
    return starts_with(type, structure) ? kind_of_vector(type.substr(structure.size())) : "x";
}

}  // namespace rewriter
