// jemalloc reads this variable of the program when it starts (jemalloc(3), "TUNING"); MALLOC_CONF in the environment
// has the last word. thp:always asks the kernel for huge pages (madvise(2), MADV_HUGEPAGE): the page table of 100,000
// connections in pages of 4 KiB does not stay in the cache. narenas:1: an arena of its own for each few threads would
// cost 2 MiB and more.
extern "C" {
extern const char* malloc_conf;                    // NOLINT(readability-identifier-naming)
const char* malloc_conf = "thp:always,narenas:1";  // NOLINT(readability-identifier-naming)
}
