#include <unistd.h>

#include "app/changes/transport/bus_client.h"
#include "app/changes/transport/change_transport.h"
#include "core/present/json/change_document.h"

namespace tcpscope {

namespace {

/// A call may take as long as a user needs to type a password; a stop request does not end it.
class BusTransport final : public ChangeTransport {
public:
  [[nodiscard]] bool isAvailable() { return m_client.isAvailable(); }

  ChangeResult preview(const ChangeRequest& request, const std::stop_token& /*stop*/) override {
    return reportOf(m_client.preview(request.settings));
  }
  ChangeResult apply(const ChangeRequest& request, const std::stop_token& /*stop*/) override {
    return reportOf(m_client.apply(request));
  }
  ChangeResult confirm(const ChangeRequest& /*request*/, std::uint32_t change,
                       const std::stop_token& /*stop*/) override {
    return reportOf(m_client.confirm(change));
  }
  ChangeResult revert(const ChangeRequest& /*request*/, std::uint32_t change,
                      const std::stop_token& /*stop*/) override {
    return reportOf(m_client.revert(change));
  }
  ChangeResult list(const std::stop_token& /*stop*/) override { return reportOf(m_client.list()); }

private:
  static ChangeResult reportOf(const BusClient::Document& document) {
    if (!document) return tl::unexpected(document.error());
    if (auto report = readChangeReport(*document)) return std::move(*report);
    ChangeError error{ChangeErrorKind::unreadableReport};
    error.isOutcomeUnknown = true;
    return tl::unexpected(error);
  }

  BusClient m_client;
};

}  // namespace

ChangeTransportPointer openHelperTransport() {
  auto transport = std::make_shared<BusTransport>();
  return transport->isAvailable() ? transport : nullptr;
}

ChangeTransportPointer openHelperTransportUnlessRoot() {
  return geteuid() == 0 ? nullptr : openHelperTransport();
}

}  // namespace tcpscope
