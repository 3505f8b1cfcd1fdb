/* error.c -- the texts of the return codes. */
#include "error.h"

#include <stdarg.h>
#include <stdio.h>

const char *error_text(int code)
{
    switch (code) {
    case ERR_NONE:
        return "success";
    case ERR_MEMORY:
        return "out of memory";
    case ERR_DOMAIN:
        return "argument out of range";
    case ERR_NUMERIC:
        return "a numerical method did not converge";
    case ERR_IO:
        return "input or output failed";
    case ERR_USAGE:
        return "wrong usage";
    case ERR_VERIFY:
        return "internal check failed";
    case ERR_STOPPED:
        return "stopped by a signal";
    default:
        return "unknown error";
    }
}

int error_set(struct error *self, int code, const char *format, ...)
{
    va_list args;

    self->code = code;
    va_start(args, format);
    vsnprintf(self->text, sizeof self->text, format, args);
    va_end(args);
    return code;
}

void error_print(FILE *stream, const struct error *self)
{
    fputs("cuckoo_sim: ", stream);
    for (const char *c = self->text; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            fprintf(stream, "\\x%02x", (unsigned)(unsigned char)*c);
        else
            fputc(*c, stream);
    fputc('\n', stream);
}

int error_from_code(struct error *self, int code, const char *what)
{
    if (self->code == code && self->text[0] != '\0')
        return code;
    return error_set(self, code, "%s: %s", what, error_text(code));
}
