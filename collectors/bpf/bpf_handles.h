// What libbpf and the kernel hand out, released at the end.
#pragma once

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <utility>

namespace tcpscope {

template <auto Release>
struct BpfReleaser {
  template <class Object>
  void operator()(Object* object) const {
    Release(object);
  }
};
using BtfHandle = std::unique_ptr<btf, BpfReleaser<btf__free> >;
using BpfObjectHandle = std::unique_ptr<bpf_object, BpfReleaser<bpf_object__close> >;
using BpfLinkHandle = std::unique_ptr<bpf_link, BpfReleaser<bpf_link__destroy> >;
using RingBufferHandle = std::unique_ptr<ring_buffer, BpfReleaser<ring_buffer__free> >;

/// The variables of a program in the kernel, which it writes: a map that is shared with it.
class SharedPage {
public:
  SharedPage() = default;
  /// Not open where the kernel refuses it, with errno.
  static SharedPage of(int map) {
    SharedPage page;
    page.m_length = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    page.m_memory = mmap(nullptr, page.m_length, PROT_READ, MAP_SHARED, map, 0);
    return page;
  }
  SharedPage(SharedPage&& other) noexcept
      : m_memory(std::exchange(other.m_memory, MAP_FAILED)), m_length(other.m_length) {}
  SharedPage& operator=(SharedPage&& other) noexcept {
    std::swap(m_memory, other.m_memory);
    std::swap(m_length, other.m_length);
    return *this;
  }
  SharedPage(const SharedPage&) = delete;
  SharedPage& operator=(const SharedPage&) = delete;
  ~SharedPage() {
    if (m_memory != MAP_FAILED) munmap(m_memory, m_length);
  }

  explicit operator bool() const { return m_memory != MAP_FAILED; }
  /// The first of the variables.
  [[nodiscard]] std::uint64_t first() const {
    return __atomic_load_n(static_cast<const std::uint64_t*>(m_memory), __ATOMIC_RELAXED);
  }

private:
  void* m_memory = MAP_FAILED;
  std::size_t m_length = 0;
};

}  // namespace tcpscope
