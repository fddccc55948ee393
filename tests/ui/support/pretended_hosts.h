// A HostPort that a test fills by hand and that remembers what was requested.
#pragma once

#include "ui/feed/host_port.h"
#include "ui/feed/ports.h"

namespace tcpscope::test {

class PretendedHosts final : public HostPort {
public:
  void connectTo(const std::string& typed, HostMeans means) override {
    wanted = typed;
    wantedMeans = means;
    state = answer;
  }
  void cancel() override {
    ++cancelled;
    state = {};
  }
  ConnectState connecting() override { return state; }
  std::vector<ConnectedHost> hosts() override { return connected; }
  void connectAgain(std::uint32_t number, HostMeans means) override {
    again.push_back(number);
    wantedMeans = means;
  }
  void disconnect(std::uint32_t number) override {
    std::erase_if(connected, [number](const ConnectedHost& host) { return host.number == number; });
  }

  /// The state after connectTo().
  ConnectState answer{ConnectPhase::connecting, {}, false};
  ConnectState state;
  std::vector<ConnectedHost> connected;
  std::string wanted;
  HostMeans wantedMeans = HostMeans::installed;
  int cancelled = 0;
  std::vector<std::uint32_t> again;
};

inline Ports portsWith(PretendedHosts& hosts) {
  Ports ports;
  ports.hosts = &hosts;
  return ports;
}

}  // namespace tcpscope::test
