#include "collectors/bpf/loss_program.h"

#ifndef TCPSCOPE_NO_BPF
#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>
#include <vector>

#include "collectors/bpf/bpf_handles.h"
#include "collectors/bpf/loss_object.h"
#endif

namespace tcpscope {

#ifdef TCPSCOPE_NO_BPF

struct LossProgram::Loaded {};

Expected<std::unique_ptr<LossProgram>, CapabilityReason> LossProgram::open() {
  return Unexpected<CapabilityReason>(CapabilityReason::notBuilt);
}

void LossProgram::drain(const KernelRecordSink& /*sink*/) {}

std::uint64_t LossProgram::lost() const {
  return 0;
}

int LossProgram::descriptor() const {
  return -1;
}

DropReason LossProgram::reason(std::uint32_t number) const {
  return {{}, number};
}

#else

namespace {

/// Four thousand a second and processor. In a flood none of them matters alone, and all of them would fill recordings
/// and the streams of agents.
constexpr std::uint32_t kMostPerWindow = 400;
constexpr const char* kSettings = ".rodata";
constexpr const char* kCounters = ".bss";
constexpr const char* kRing = "ring";

CapabilityReason bpfFailure(int number) {
  if (number == EPERM) return CapabilityReason::notPermitted;
  // EACCES and EINVAL: the kernel's verifier does not accept the program; ESRCH: a member that it reads does not exist.
  constexpr std::array kUnsupported = {EACCES, EINVAL, ESRCH, ENOENT, ENOSYS, EOPNOTSUPP};
  const bool isUnsupported = std::find(kUnsupported.begin(), kUnsupported.end(), number) != kUnsupported.end();
  return isUnsupported ? CapabilityReason::notSupported : CapabilityReason::failed;
}

/// Of the tracepoint's arguments (trace/bpf_probe.h: the type btf_trace_NAME); 0 where the kernel has no such
/// tracepoint.
std::size_t argumentsOf(const btf& types, const char* tracepoint) {
  const std::int32_t id = btf__find_by_name_kind(&types, tracepoint, BTF_KIND_TYPEDEF);
  if (id <= 0) return 0;
  const btf_type* type = btf__type_by_id(&types, static_cast<std::uint32_t>(id));
  if (type != nullptr) type = btf__type_by_id(&types, type->type);
  if (type != nullptr && btf_is_ptr(type)) type = btf__type_by_id(&types, type->type);
  if (type == nullptr || !btf_is_func_proto(type)) return 0;
  // The first is the context of the program that traces.
  return btf_vlen(type) > 0 ? btf_vlen(type) - 1U : 0;
}

DropReasons reasonsOf(const btf& types) {
  DropReasons reasons;
  const std::int32_t id = btf__find_by_name_kind(&types, "skb_drop_reason", BTF_KIND_ENUM);
  if (id <= 0) return reasons;
  const btf_type* const type = btf__type_by_id(&types, static_cast<std::uint32_t>(id));
  for (const struct btf_enum& one : std::span(btf_enum(type), btf_vlen(type))) {
    if (const char* const name = btf__name_by_offset(&types, one.name_off)) {
      reasons.add(static_cast<std::uint32_t>(one.val), name);
    }
  }
  return reasons;
}

}  // namespace

struct LossProgram::Loaded {
  DropReasons reasons;
  BpfObjectHandle object;
  std::vector<BpfLinkHandle> links;
  RingBufferHandle ring;
  SharedPage counters;
  const KernelRecordSink* sink = nullptr;
};

Expected<std::unique_ptr<LossProgram>, CapabilityReason> LossProgram::open() {
  const auto refused = [](CapabilityReason reason) { return Unexpected<CapabilityReason>(reason); };
  // What the library would print is in the reason.
  libbpf_set_print(nullptr);
  const BtfHandle types(btf__load_vmlinux_btf());
  if (!types) return refused(CapabilityReason::notSupported);
  auto loaded = std::make_unique<Loaded>();
  loaded->reasons = reasonsOf(*types);
  const std::size_t ofDrop = argumentsOf(*types, "btf_trace_kfree_skb");
  const std::size_t ofRetransmission = argumentsOf(*types, "btf_trace_tcp_retransmit_skb");
  const auto notSpecified = loaded->reasons.numberOf("NOT_SPECIFIED");
  // Linux 5.17 has reasons, but none of TCP: what TCP drops could not be separated from what it has processed.
  const bool namesTcp = loaded->reasons.numberOf("TCP_OFOMERGE").has_value();
  constexpr std::size_t kWithReason = 3;
  constexpr std::size_t kWithoutError = 2;
  if (ofDrop < kWithReason || ofRetransmission == 0 || !notSpecified || !namesTcp)
    return refused(CapabilityReason::notSupported);

  const auto program = lossObject();
  bpf_object_open_opts options{};
  options.sz = sizeof options;
  options.object_name = "tcpscope_loss";
  loaded->object.reset(bpf_object__open_mem(program.data(), program.size(), &options));
  if (!loaded->object) return refused(bpfFailure(errno));
  bpf_map* const settings = bpf_object__find_map_by_name(loaded->object.get(), kSettings);
  bpf_map* const counters = bpf_object__find_map_by_name(loaded->object.get(), kCounters);
  bpf_map* const ring = bpf_object__find_map_by_name(loaded->object.get(), kRing);
  if (settings == nullptr || counters == nullptr || ring == nullptr) return refused(CapabilityReason::failed);
  KernelSettings wanted{};
  const auto noLoss = loaded->reasons.noLoss();
  std::copy(noLoss.begin(), noLoss.end(), std::begin(wanted.noLoss));
  wanted.notSpecified = *notSpecified;
  wanted.reportsReceiver = ofDrop > kWithReason ? 1 : 0;
  wanted.reportsError = ofRetransmission > kWithoutError ? 1 : 0;
  wanted.mostPerWindow = kMostPerWindow;
  if (bpf_map__set_initial_value(settings, &wanted, sizeof wanted) != 0) return refused(CapabilityReason::failed);
  if (bpf_object__load(loaded->object.get()) != 0) return refused(bpfFailure(errno));

  // Reading the counter takes no system call that way: an agent makes none of bpf(2) once it is set up.
  loaded->counters = SharedPage::of(bpf_map__fd(counters));
  if (!loaded->counters) return refused(bpfFailure(errno));
  loaded->ring.reset(ring_buffer__new(
      bpf_map__fd(ring),
      [](void* context, void* record, std::size_t length) {
        const std::span bytes(static_cast<const std::byte*>(record), length);
        (*static_cast<Loaded*>(context)->sink)(bytes);
        return 0;
      },
      loaded.get(), nullptr));
  if (!loaded->ring) return refused(bpfFailure(errno));
  bpf_program* attached = nullptr;
  while ((attached = bpf_object__next_program(loaded->object.get(), attached)) != nullptr) {
    loaded->links.emplace_back(bpf_program__attach(attached));
    if (!loaded->links.back()) return refused(bpfFailure(errno));
  }
  return std::unique_ptr<LossProgram>(new LossProgram(std::move(loaded)));
}

void LossProgram::drain(const KernelRecordSink& sink) {
  m_loaded->sink = &sink;
  ring_buffer__consume(m_loaded->ring.get());
  m_loaded->sink = nullptr;
}

std::uint64_t LossProgram::lost() const {
  return m_loaded->counters.first();
}

int LossProgram::descriptor() const {
  return ring_buffer__epoll_fd(m_loaded->ring.get());
}

DropReason LossProgram::reason(std::uint32_t number) const {
  return m_loaded->reasons.reason(number);
}

#endif

LossProgram::LossProgram(std::unique_ptr<Loaded> loaded) : m_loaded(std::move(loaded)) {}
LossProgram::~LossProgram() = default;

}  // namespace tcpscope
