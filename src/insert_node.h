/* insert_node.h -- a node of the breadth-first search tree; internal to insert*.c. */
#ifndef CUCKOO_INSERT_NODE_H
#define CUCKOO_INSERT_NODE_H

#include <stdint.h>

#define INSERT_NODE_ROOT UINT32_MAX

struct insert_node {
    uint32_t bucket;
    uint32_t parent; /* index of the node whose resident leads here, or INSERT_NODE_ROOT */
    uint16_t slot;   /* that resident's slot in the parent's bucket */
};

#endif
