/* version.h -- the program's version, printed by --version and in the results. */
#ifndef CUCKOO_VERSION_H
#define CUCKOO_VERSION_H

#define CUCKOO_VERSION "0.1.0"

#endif
