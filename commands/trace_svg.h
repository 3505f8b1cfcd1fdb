/* trace_svg.h -- the picture of a trace, drawn by draw_diagrams.py. */
#ifndef CUCKOO_COMMANDS_TRACE_SVG_H
#define CUCKOO_COMMANDS_TRACE_SVG_H

#include "../src/error.h"

/* Draw what `trace` printed into the file `steps` (text format) into the file `picture`.
 * ERR_IO, described in `err`: no draw_diagrams.py beside the program, in the folder above it
 * or in the current one; no Python; or it failed and said why on standard error. */
int trace_svg(const char *steps, const char *picture, struct error *err);

#endif
