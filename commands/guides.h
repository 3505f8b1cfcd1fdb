/* guides.h -- the manual page and the shells' completion, from the same tables as help. */
#ifndef CUCKOO_GUIDES_H
#define CUCKOO_GUIDES_H

#include <stdio.h>

#include "../src/options.h"

/* `what` is --man, --bash or --zsh; 0 if it is none of them. */
int guides_print(FILE *stream, const char *what, const struct command *const *table);

#endif
