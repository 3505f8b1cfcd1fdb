# mk/faults.mk -- a program whose allocations and writes can be made to fail, for tests/faults.
#
#? make faults      every allocation and every write of small runs fails once, half an hour
FAULT_WRAP = malloc calloc realloc aligned_alloc strdup fflush fsync rename fchmod ftruncate fopen \
    fdopen open fclose fwrite
# with the sanitizers where the compiler has them
FAULT_SANITIZE = $(shell echo 'int main(void) { return 0; }' | $(CC) -fsanitize=address,undefined \
    -x c - -o /dev/null 2>/dev/null && echo -fsanitize=address,undefined -fno-sanitize-recover=all)
FAULT_FLAGS = -O1 -g $(FAULT_SANITIZE) -fno-builtin -fno-omit-frame-pointer \
    -Wno-frame-address

.PHONY: faults check-faults faulty-program
faults: faulty-program tools-tests
	FAULTS=all tests/check.sh faults
check-faults: faulty-program tools-tests
	tests/check.sh faults
check: faulty-program
faulty-program:
	@$(MAKE) --no-print-directory BUILD=build/faults CFLAGS='$(FAULT_FLAGS)' build/faults/faulty

build/faults/faulty: tests/faults/faulty.c $(PROGRAM) $(LIBRARY) $(BUILD)/flags
	$(call run,LINK,$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(FAULT_WRAP:%=-Wl,--wrap=%) -o $@ \
	    tests/faults/faulty.c $(PROGRAM) $(LIBRARY) $(LIBS))
