// What every collector is: it describes itself and runs until a stop is requested, handing batches to a sink.
//
// A collector owns no thread: app/session runs it on one. It waits on its own descriptors and on the request source's,
// so that a stop or a newer request wakes it at once.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>

#include "core/filter/connection_filter.h"
#include "core/model/socket_observation.h"

namespace tcpscope {

/// Names one socket exactly: what an exact diagnosis request carries.
struct SocketAddress {
  ConnectionId id;
  Endpoint local;
  Endpoint remote;
  std::uint32_t interfaceIndex = 0;

  bool operator==(const SocketAddress&) const = default;
};

/// As a mask of states.
inline constexpr std::uint32_t kEveryState = 0xffffffffU;

/// What is wanted of a collector now; a newer one replaces an older one.
struct CollectorRequest {
  Milliseconds listInterval{1000};
  /// Bit n set for kernel state n.
  std::uint32_t stateMask = kEveryState;
  /// Connections that can never match need not be collected; what the kernel cannot decide is collected. Null for all.
  FilterPointer filter;
  std::optional<SocketAddress> focus;
  Microseconds focusInterval{10000};

  bool operator==(const CollectorRequest&) const = default;
};

class RequestSource {
public:
  RequestSource() = default;
  RequestSource(const RequestSource&) = delete;
  RequestSource& operator=(const RequestSource&) = delete;
  virtual ~RequestSource() = default;
  /// Becomes readable when a newer request or a stop waits; take() makes it unreadable again.
  [[nodiscard]] virtual int wakeDescriptor() const = 0;
  virtual CollectorRequest take() = 0;
};

/// Takes a batch; false when it had no room: then the batch is left as it was, the collector counts a gap and goes on.
using ObservationSink = std::function<bool(ObservationBatch&&)>;

struct CollectorDescription {
  std::string_view name;
  std::string_view what;
};

class Collector {
public:
  Collector() = default;
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;
  virtual ~Collector() = default;

  [[nodiscard]] virtual CollectorDescription describe() const = 0;
  /// Returns when a stop is requested or nothing can be collected any more.
  virtual void run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) = 0;
};

}  // namespace tcpscope
