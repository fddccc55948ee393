#include "app/session/namespace_focus.h"

#include <poll.h>

#include <utility>

#include "collectors/sock_diag/focus_collector.h"
#include "collectors/sock_diag/network_namespace.h"

namespace tcpscope {

namespace {

/// The requests of a collector in one namespace: stops it as soon as the focus leaves that.
class RequestsWithin final : public RequestSource {
public:
  RequestsWithin(RequestSource& all, CollectorRequest first)
      : m_all(all), m_place(first.focus->id.place), m_latest(std::move(first)) {}

  [[nodiscard]] int wakeDescriptor() const override { return m_all.wakeDescriptor(); }
  CollectorRequest take() override {
    if (!std::exchange(m_isFirst, false)) m_latest = m_all.take();
    if (m_latest.focus && m_latest.focus->id.place == m_place) return m_latest;
    m_stop.request_stop();
    CollectorRequest none = m_latest;
    none.focus.reset();
    return none;
  }

  void stop() { m_stop.request_stop(); }
  [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }
  [[nodiscard]] const CollectorRequest& latest() const { return m_latest; }

private:
  RequestSource& m_all;
  PlaceId m_place;
  CollectorRequest m_latest;
  bool m_isFirst = true;
  std::stop_source m_stop;
};

class NamespaceFocus final : public Collector {
public:
  NamespaceFocus(LocalPlace own, std::shared_ptr<const NamespaceRegister> namespaces)
      : m_own(std::move(own)), m_namespaces(std::move(namespaces)) {}

  [[nodiscard]] CollectorDescription describe() const override {
    return {"namespaces_focus", "the connection in focus, in another network namespace of this host"};
  }

  void run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) override {
    CollectorRequest request = requests.take();
    while (!stop.stop_requested()) {
      const std::optional<SocketAddress> focus = request.focus;
      if (focus) request = sampleWithin(request, stop, requests, sink);
      // What cannot be asked there, or not any more, waits for another request.
      if (stop.stop_requested() || request.focus != focus) continue;
      pollfd entry{requests.wakeDescriptor(), POLLIN, 0};
      if (poll(&entry, 1, -1) > 0) request = requests.take();
    }
  }

private:
  /// The request that ended it, or `request` where it could not begin.
  CollectorRequest sampleWithin(const CollectorRequest& request, const std::stop_token& stop, RequestSource& requests,
                                const ObservationSink& sink) {
    const PlaceId place = request.focus->id.place;
    const auto descriptor = m_namespaces->descriptorOf(place);
    if (!descriptor) return request;
    SockDiagSettings settings = m_own.settings;
    settings.place = place;
    const auto collector = FocusCollector::open(sockDiagAccessIn(NetworkNamespace::of(*descriptor)), settings);
    if (!collector) return request;
    RequestsWithin within(requests, request);
    const std::stop_callback whole(stop, [&within] { within.stop(); });
    (*collector)->run(within.token(), within, sink);
    return within.latest();
  }

  LocalPlace m_own;
  std::shared_ptr<const NamespaceRegister> m_namespaces;
};

}  // namespace

std::unique_ptr<Collector> focusInOtherNamespaces(const LocalPlace& own,
                                                  std::shared_ptr<const NamespaceRegister> namespaces) {
  return std::make_unique<NamespaceFocus>(own, std::move(namespaces));
}

}  // namespace tcpscope
