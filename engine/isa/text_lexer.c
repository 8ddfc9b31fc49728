#include "isa/text_lexer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool is_digit(int c) {
    return c >= '0' && c <= '9';
}

static bool is_word_start(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$';
}

static bool is_word(int c) {
    return is_word_start(c) || is_digit(c);
}

const char* ptl_token_show(const char* start, size_t length, char out[32]) {
    size_t shown = length <= 24 ? length : 24;
    for (size_t i = 0; i < shown; i++) {
        unsigned char c = (unsigned char)start[i];
        out[i] = c >= 0x20 && c < 0x7f ? (char)c : '?';
    }
    memcpy(out + shown, shown < length ? "..." : "", shown < length ? 4 : 1);
    return out;
}

ptl_status ptl_lexer_fail(ptl_lexer* lexer, const char* at, const char* mend, const char* fmt, ...) {
    size_t line = 1;
    const char* line_start = lexer->text;
    for (const char* p = lexer->text; p < at; p++) {
        if (*p == '\n') line++, line_start = p + 1;
    }
    char where[64];
    snprintf(where, sizeof where, "line %zu, column %zu", line, (size_t)(at - line_start) + 1);
    char what[200];
    va_list arguments;
    va_start(arguments, fmt);
    vsnprintf(what, sizeof what, fmt, arguments);
    va_end(arguments);
    return ptl_fail(lexer->error, PTL_BAD_INPUT, where, mend, "%s", what);
}

static int digit_value(int c) {
    if (is_digit(c)) return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
}

/* All of [p, end) as digits of this base; false if it is not one or does not fit into 64 bits. */
static bool read_digits(const char* p, const char* end, unsigned base, uint64_t* value) {
    *value = 0;
    if (p == end) return false;
    for (; p < end; p++) {
        unsigned digit = (unsigned)digit_value((unsigned char)*p);
        if (digit >= base || *value > (UINT64_MAX - digit) / base) return false;
        *value = *value * base + digit;
    }
    return true;
}

/* 10, 0x0a, 0ah, 0b1010 */
static ptl_status lex_number(ptl_lexer* lexer, const char* p) {
    const char* start = p;
    while (p < lexer->end && is_word((unsigned char)*p)) p++;
    ptl_token* token = &lexer->token;
    *token = (ptl_token){.kind = PTL_TOKEN_NUMBER, .start = start, .length = (size_t)(p - start)};
    lexer->next = p;
    int prefix = token->length > 2 && start[0] == '0' ? start[1] | 0x20 : 0;
    bool ok;
    if (prefix == 'x') {
        ok = read_digits(start + 2, p, 16, &token->value);
    } else if ((p[-1] | 0x20) == 'h') {
        ok = read_digits(start, p - 1, 16, &token->value);
    } else if (prefix == 'b') {
        ok = read_digits(start + 2, p, 2, &token->value);
    } else {
        ok = read_digits(start, p, 10, &token->value);
    }
    if (ok) return PTL_OK;
    char shown[32];
    return ptl_lexer_fail(lexer, start, "write 10, 0x0a, 0ah or 0b1010, of at most 64 bits",
                          "'%s' is not a number", ptl_token_show(start, token->length, shown));
}

/* 'a' as a number */
static ptl_status lex_character(ptl_lexer* lexer, const char* p) {
    if (lexer->end - p < 3 || p[2] != '\'' || p[1] == '\n') {
        return ptl_lexer_fail(lexer, p, "write it like 'a'", "character constant that does not end");
    }
    lexer->token =
        (ptl_token){.kind = PTL_TOKEN_NUMBER, .start = p, .length = 3, .value = (unsigned char)p[1]};
    lexer->next = p + 3;
    return PTL_OK;
}

static const char* skip_blanks(const char* p, const char* end) {
    for (; p < end; p++) {
        if (*p == '#' || (*p == '/' && end - p > 1 && p[1] == '/')) {
            const char* newline = memchr(p, '\n', (size_t)(end - p));
            return newline ? newline : end;
        }
        if (*p != ' ' && *p != '\t' && *p != '\r') break;
    }
    return p;
}

ptl_status ptl_lexer_advance(ptl_lexer* lexer) {
    const char* p = skip_blanks(lexer->next, lexer->end);
    lexer->token = (ptl_token){.kind = PTL_TOKEN_END, .start = p};
    lexer->next = p;
    if (p == lexer->end) return PTL_OK;
    unsigned char c = (unsigned char)*p;
    if (is_digit(c)) return lex_number(lexer, p);
    if (c == '\'') return lex_character(lexer, p);
    const char* past = p + 1;
    if (is_word_start(c)) {
        while (past < lexer->end && is_word((unsigned char)*past)) past++;
        lexer->token.kind = PTL_TOKEN_WORD;
    } else if (c == '\n' || c == ';') {
        lexer->token.kind = PTL_TOKEN_SEPARATOR;
    } else if (c && strchr(",[]{}()+-*:", c)) {
        lexer->token.kind = PTL_TOKEN_MARK;
        lexer->token.mark = (char)c;
    } else if (c >= 0x20 && c < 0x7f) {
        return ptl_lexer_fail(lexer, p, "remove it", "unexpected character '%c'", c);
    } else {
        return ptl_lexer_fail(lexer, p, "the text is plain ASCII", "unexpected byte 0x%02x", c);
    }
    lexer->token.length = (size_t)(past - p);
    lexer->next = past;
    return PTL_OK;
}

ptl_status ptl_lexer_init(ptl_lexer* lexer, const char* text, size_t length, ptl_error* error) {
    *lexer = (ptl_lexer){.text = text, .next = text, .end = text + length, .error = error};
    return ptl_lexer_advance(lexer);
}

bool ptl_lexer_at(const ptl_lexer* lexer, char mark) {
    return lexer->token.kind == PTL_TOKEN_MARK && lexer->token.mark == mark;
}

bool ptl_lexer_at_word(const ptl_lexer* lexer, const char* word) {
    const ptl_token* token = &lexer->token;
    return token->kind == PTL_TOKEN_WORD && strlen(word) == token->length &&
           strncasecmp(token->start, word, token->length) == 0;
}
