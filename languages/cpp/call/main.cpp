// Calls what a program defines: {"args": […]} on stdin, the result as JSON in the last line of stdout. Whatever the program
// prints goes where its errors go. What it forges here it could as well have returned. From C++14.
#include <bits/stdc++.h>
#include <unistd.h>

#define main assay_program_main
#include "__SOLUTION__"
#undef main

namespace assay_call {

struct Json {
    enum Kind { null, boolean, number, text, list, object } kind = null;
    bool truth = false;
    std::string word; // of a number or a text
    std::vector<Json> items;
    std::vector<std::pair<std::string, Json>> fields;
};

[[noreturn]] inline void refuse(const char *why) {
    std::fprintf(stderr, "%s\n", why);
    std::_Exit(1);
}

class Reader {
  public:
    explicit Reader(const std::string &text) : at(text.data()), end(text.data() + text.size()) {}
    Json value() {
        blank();
        if (at == end) refuse("arguments end early");
        Json v;
        if (*at == '{') return object();
        if (*at == '[') return list();
        if (*at == '"') { v.kind = Json::text; v.word = text(); return v; }
        if (word("true")) { v.kind = Json::boolean; v.truth = true; return v; }
        if (word("false")) { v.kind = Json::boolean; return v; }
        if (word("null")) return v;
        v.kind = Json::number;
        while (at != end && std::strchr("+-.eE0123456789", *at)) v.word += *at++;
        if (v.word.empty()) refuse("arguments are not JSON");
        return v;
    }

  private:
    const char *at, *end;
    void blank() { while (at != end && std::isspace(static_cast<unsigned char>(*at))) ++at; }
    bool word(const char *w) {
        size_t n = std::strlen(w);
        if (static_cast<size_t>(end - at) < n || std::strncmp(at, w, n)) return false;
        at += n;
        return true;
    }
    bool next(char closing) {
        blank();
        if (at != end && *at == closing) { ++at; return false; }
        if (at != end && *at == ',') ++at;
        return true;
    }
    Json list() {
        Json v;
        v.kind = Json::list;
        for (++at; next(']');) v.items.push_back(value());
        return v;
    }
    Json object() {
        Json v;
        v.kind = Json::object;
        for (++at; next('}');) {
            blank();
            std::string name = text();
            blank();
            ++at; // the colon
            v.fields.emplace_back(name, value());
        }
        return v;
    }
    unsigned hex() {
        unsigned n = static_cast<unsigned>(std::stoul(std::string(at, 4), nullptr, 16));
        at += 4;
        return n;
    }
    std::string text() {
        std::string s;
        for (++at; at != end && *at != '"'; ++at) {
            if (*at != '\\') { s += *at; continue; }
            static const char from[] = "nrtbf", to[] = "\n\r\t\b\f";
            char c = *++at;
            if (const char *p = std::strchr(from, c)) { s += to[p - from]; continue; }
            if (c != 'u') { s += c; continue; }
            ++at;
            unsigned point = hex();
            if (point >= 0xd800 && point < 0xdc00 && at[0] == '\\') { at += 2; point = 0x10000 + ((point - 0xd800) << 10) + (hex() - 0xdc00); }
            --at;
            if (point < 0x80) s += static_cast<char>(point);
            else if (point < 0x800) { s += static_cast<char>(0xc0 | point >> 6); s += static_cast<char>(0x80 | (point & 63)); }
            else if (point < 0x10000) { s += static_cast<char>(0xe0 | point >> 12); s += static_cast<char>(0x80 | (point >> 6 & 63)); s += static_cast<char>(0x80 | (point & 63)); }
            else { s += static_cast<char>(0xf0 | point >> 18); s += static_cast<char>(0x80 | (point >> 12 & 63)); s += static_cast<char>(0x80 | (point >> 6 & 63)); s += static_cast<char>(0x80 | (point & 63)); }
        }
        ++at;
        return s;
    }
};

// Kinds of JSON as a set of bits (src/judge/calls.ts), for what a type of C++ can be made of.
enum { BOOLEAN = 1, NUMBER = 2, TEXT = 4, LIST = 8, OBJECT = 16, NOTHING = 32 };

inline const Json &take(const Json &v, int kinds) {
    static const int bits[] = {NOTHING, BOOLEAN, NUMBER, TEXT, LIST, OBJECT};
    static const char *const names[] = {"null", "true or false", "a number", "text", "a list", "an object"};
    if (!(bits[v.kind] & kinds)) {
        std::fprintf(stderr, "the tests pass %s where the program takes something else\n", names[v.kind]);
        std::_Exit(1);
    }
    return v;
}

static_assert(std::numeric_limits<long double>::digits >= 64, "whole numbers of 64 bits are read as this");

// A number of JSON. Its word may be none of C++, or beyond every type.
inline long double number(const Json &v) {
    if (v.kind == Json::boolean) return v.truth;
    char *rest = nullptr;
    long double value = std::strtold(v.word.c_str(), &rest);
    if (rest == v.word.c_str() || *rest) refuse("arguments are not JSON");
    return value;
}

// 5.0 and 1e3 are whole, too.
template <class T> T whole(const Json &v) {
    long double value = number(v);
    if (value != std::floor(value)) refuse("the tests pass a fraction where the program takes a whole number");
    long double beyond = std::ldexp(1.0L, std::min(std::numeric_limits<T>::digits, 64));
    if (value >= beyond || value < (std::is_signed<T>::value ? -beyond : 0)) refuse("the tests pass a number that the program's type of a whole number does not hold");
    return static_cast<T>(value);
}

template <class T> T real(const Json &v) {
    long double value = number(v);
    if (std::fabs(value) > std::numeric_limits<T>::max()) refuse("the tests pass a number that the program's type of a number does not hold");
    return static_cast<T>(value);
}

// From JSON to a parameter.
template <class T, class Enable = void> struct As;
template <> struct As<bool> {
    enum { kinds = BOOLEAN | NUMBER };
    static bool of(const Json &v) { return number(take(v, kinds)) != 0; }
};
template <> struct As<char> {
    enum { kinds = TEXT };
    static char of(const Json &v) { return take(v, kinds).word.empty() ? '\0' : v.word[0]; }
};
template <> struct As<std::string> {
    enum { kinds = TEXT | NOTHING };
    static std::string of(const Json &v) { return take(v, kinds).word; }
};
template <class T> struct As<T, std::enable_if_t<std::is_integral<T>::value && !std::is_same<T, bool>::value && !std::is_same<T, char>::value>> {
    enum { kinds = BOOLEAN | NUMBER };
    static T of(const Json &v) { return whole<T>(take(v, kinds)); }
};
template <class T> struct As<T, std::enable_if_t<std::is_floating_point<T>::value>> {
    enum { kinds = BOOLEAN | NUMBER };
    static T of(const Json &v) { return real<T>(take(v, kinds)); }
};
template <class T> struct As<std::vector<T>> {
    enum { kinds = LIST | NOTHING };
    static std::vector<T> of(const Json &v) {
        std::vector<T> out;
        for (const Json &each : take(v, kinds).items) out.push_back(As<T>::of(each));
        return out;
    }
};
template <class A, class B> struct As<std::pair<A, B>> {
    enum { kinds = LIST };
    static std::pair<A, B> of(const Json &v) {
        if (take(v, kinds).items.size() != 2) refuse("the tests pass another number of items than the program's pair has");
        return {As<A>::of(v.items[0]), As<B>::of(v.items[1])};
    }
};
template <class T> struct As<std::set<T>> { enum { kinds = LIST | NOTHING }; static std::set<T> of(const Json &v) { auto l = As<std::vector<T>>::of(v); return {l.begin(), l.end()}; } };
template <class T> struct As<std::unordered_set<T>> { enum { kinds = LIST | NOTHING }; static std::unordered_set<T> of(const Json &v) { auto l = As<std::vector<T>>::of(v); return {l.begin(), l.end()}; } };
template <class M> M map_of(const Json &v) {
    M out;
    for (const auto &field : take(v, OBJECT | NOTHING).fields) out[field.first] = As<typename M::mapped_type>::of(field.second);
    return out;
}
template <class T> struct As<std::map<std::string, T>> { enum { kinds = OBJECT | NOTHING }; static std::map<std::string, T> of(const Json &v) { return map_of<std::map<std::string, T>>(v); } };
template <class T> struct As<std::unordered_map<std::string, T>> { enum { kinds = OBJECT | NOTHING }; static std::unordered_map<std::string, T> of(const Json &v) { return map_of<std::unordered_map<std::string, T>>(v); } };

// From a result to JSON.
inline void write(std::string &out, bool v) { out += v ? "true" : "false"; }
inline void write(std::string &out, const std::string &v) {
    out += '"';
    for (char c : v) {
        char escape[8];
        if (c == '"' || c == '\\') (out += '\\') += c;
        else if (static_cast<unsigned char>(c) < 0x20) { std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c)); out += escape; }
        else out += c;
    }
    out += '"';
}
inline void write(std::string &out, const char *v) { write(out, std::string(v)); }
inline void write(std::string &out, char v) { write(out, std::string(1, v)); }
template <class T> std::enable_if_t<std::is_integral<T>::value && !std::is_same<T, bool>::value && !std::is_same<T, char>::value> write(std::string &out, T v) { out += std::to_string(v); }
template <class T> std::enable_if_t<std::is_floating_point<T>::value> write(std::string &out, T v) {
    if (!std::isfinite(v)) refuse("a result that is no number");
    char text[64];
    // As few digits as give the value again.
    for (int digits = 1; digits <= 21; ++digits) {
        std::snprintf(text, sizeof text, "%.*Lg", digits, static_cast<long double>(v));
        if (static_cast<T>(std::strtold(text, nullptr)) == v) break;
    }
    out += text;
}
template <class T> void write(std::string &out, const std::vector<T> &v);
template <class T> void write(std::string &out, const std::set<T> &v);
template <class A, class B> void write(std::string &out, const std::pair<A, B> &v);
template <class T> void write(std::string &out, const std::map<std::string, T> &v);
template <class T> void write(std::string &out, const std::unordered_map<std::string, T> &v);
template <class L> void write_list(std::string &out, const L &v) {
    const char *between = "[";
    if (v.begin() == v.end()) out += between;
    for (const auto &each : v) { out += between; write(out, static_cast<const typename L::value_type &>(each)); between = ","; }
    out += ']';
}
template <class M> void write_map(std::string &out, const M &v) {
    const char *between = "{";
    if (v.begin() == v.end()) out += between;
    for (const auto &each : v) { out += between; write(out, each.first); out += ':'; write(out, each.second); between = ","; }
    out += '}';
}
template <class T> void write(std::string &out, const std::vector<T> &v) { write_list(out, v); }
template <class T> void write(std::string &out, const std::set<T> &v) { write_list(out, v); }
template <class A, class B> void write(std::string &out, const std::pair<A, B> &v) { out += '['; write(out, v.first); out += ','; write(out, v.second); out += ']'; }
template <class T> void write(std::string &out, const std::map<std::string, T> &v) { write_map(out, v); }
template <class T> void write(std::string &out, const std::unordered_map<std::string, T> &v) { write_map(out, v); }

template <class R> struct Called {
    template <class F> static void with(std::string &out, F f) { write(out, static_cast<const std::decay_t<R> &>(f())); }
};
template <> struct Called<void> {
    template <class F> static void with(std::string &out, F f) { f(); out += "null"; }
};

// What the tests pass, argument by argument: all kinds that any case has there. -1 alone: cases differ in their number.
template <int... K> struct Given {};
template <bool...> struct All {};
template <bool, class, class...> struct Kinds { static constexpr bool known = true; };
template <int... K, class... A> struct Kinds<true, Given<K...>, A...> {
    static_assert(std::is_same<All<true, ((K & As<A>::kinds) == K)...>, All<((K & As<A>::kinds) == K)..., true>>::value,
                  "the tests pass an argument of another type than __QUALIFIED__ takes");
    static constexpr bool known = true;
};
template <class, class...> struct Fits;
template <class... A> struct Fits<Given<-1>, A...> { static constexpr bool known = true; };
template <int... K, class... A> struct Fits<Given<K...>, A...> {
    static_assert(sizeof...(A) == sizeof...(K), "__QUALIFIED__ takes another number of arguments than the tests pass");
    static constexpr bool known = Kinds<sizeof...(A) == sizeof...(K), Given<K...>, A...>::known;
};

template <class R, class... A, class F, size_t... I>
void call(std::string &out, const Json &args, F f, std::index_sequence<I...>) {
    static_assert(Fits<Given<__KINDS__>, std::decay_t<A>...>::known, "");
    if (args.items.size() != sizeof...(A)) refuse("the program takes another number of arguments than the tests pass");
    std::tuple<std::decay_t<A>...> values{As<std::decay_t<A>>::of(args.items[I])...};
    Called<R>::with(out, [&]() -> R { return f(static_cast<A>(std::get<I>(values))...); });
}
template <class R, class... A> void entry(std::string &out, const Json &args, R (*f)(A...)) {
    call<R, A...>(out, args, f, std::index_sequence_for<A...>{});
}
template <class C, class R, class... A> void entry(std::string &out, const Json &args, R (C::*f)(A...)) {
    C object;
    call<R, A...>(out, args, [&](A... a) -> R { return (object.*f)(static_cast<A>(a)...); }, std::index_sequence_for<A...>{});
}
template <class C, class R, class... A> void entry(std::string &out, const Json &args, R (C::*f)(A...) const) {
    C object;
    call<R, A...>(out, args, [&](A... a) -> R { return (object.*f)(static_cast<A>(a)...); }, std::index_sequence_for<A...>{});
}

} // namespace assay_call

int main() {
    std::string input((std::istreambuf_iterator<char>(std::cin)), std::istreambuf_iterator<char>());
    int result = dup(1);
    if (result < 0 || dup2(2, 1) < 0) assay_call::refuse("no descriptors");
    assay_call::Json request = assay_call::Reader(input).value(), args;
    for (auto &field : request.fields) if (field.first == "args") args = std::move(field.second);
    std::string out = "\n";
    assay_call::entry(out, args, &__QUALIFIED__);
    out += '\n';
    std::cout.flush();
    for (size_t at = 0; at < out.size();) {
        ssize_t n = ::write(result, out.data() + at, out.size() - at);
        if (n <= 0) return 1;
        at += static_cast<size_t>(n);
    }
    std::_Exit(0);
}
