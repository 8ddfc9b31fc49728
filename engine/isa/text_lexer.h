/* Tokens of Intel-syntax assembler text. The text need not end in a NUL and may contain any byte. */
#ifndef PTL_ISA_TEXT_LEXER_H
#define PTL_ISA_TEXT_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef enum ptl_token_kind {
    PTL_TOKEN_END,       /* of the text */
    PTL_TOKEN_SEPARATOR, /* newline or ';': ends a statement */
    PTL_TOKEN_WORD,      /* mnemonic, register, keyword or label */
    PTL_TOKEN_NUMBER,
    PTL_TOKEN_MARK /* one punctuation character: , [ ] { } ( ) + - * : */
} ptl_token_kind;

typedef struct ptl_token {
    ptl_token_kind kind;
    const char* start; /* into the text */
    size_t length;
    uint64_t value; /* of a number */
    char mark;      /* of a mark */
} ptl_token;

/* Reads one token ahead: `token` is the current one. */
typedef struct ptl_lexer {
    const char* text;
    const char* next;
    const char* end;
    ptl_token token;
    ptl_error* error;
} ptl_lexer;

/* Starts at the first token. */
ptl_status ptl_lexer_init(ptl_lexer* lexer, const char* text, size_t length, ptl_error* error);

/* Moves to the next token. Comments (# or // to the end of the line) and blanks are skipped. */
ptl_status ptl_lexer_advance(ptl_lexer* lexer);

/* Is the current token this mark? */
bool ptl_lexer_at(const ptl_lexer* lexer, char mark);

/* Is the current token this word, in any case? */
bool ptl_lexer_at_word(const ptl_lexer* lexer, const char* word);

/* Fails with the line and column of `at`. */
__attribute__((format(printf, 4, 5))) ptl_status ptl_lexer_fail(ptl_lexer* lexer, const char* at,
                                                                const char* mend, const char* fmt, ...);

/* For messages: at most 24 characters of a token, unprintable bytes as '?'. Returns out. */
const char* ptl_token_show(const char* start, size_t length, char out[32]);

#endif
