#!/bin/sh
# A run as shards under GNU parallel, here or over ssh (--sshloginfile), then put together.
#   TRIALS=1e9 SHARDS=100 docs/jobs/parallel.sh
set -eu
SHARDS=${SHARDS:-100}
TRIALS=${TRIALS:-1e9}
mkdir -p parts
seq "$SHARDS" | parallel --will-cite --joblog parts/log --resume-failed \
    ./cuckoo_sim run --measure fail --candidates 2 --bucket 1 --layout split \
    --slots 2000 --keys 900 --search complete --trials "$TRIALS" --threads 1 --quiet \
    --shard "{}/$SHARDS" --checkpoint "parts/checkpoint.{}" --output "parts/part.{}"
./cuckoo_sim merge parts/part.* --output result.txt
