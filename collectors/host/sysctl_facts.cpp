#include "collectors/host/sysctl_facts.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <string_view>

#include "collectors/system/child_output.h"

namespace tcpscope {

namespace {

constexpr std::array<std::string_view, 24> kKeys = {"net.core.default_qdisc",
                                                    "net.core.rmem_max",
                                                    "net.core.wmem_max",
                                                    "net.ipv4.ip_local_port_range",
                                                    "net.ipv4.tcp_adv_win_scale",
                                                    "net.ipv4.tcp_congestion_control",
                                                    "net.ipv4.tcp_ecn",
                                                    "net.ipv4.tcp_frto",
                                                    "net.ipv4.tcp_mem",
                                                    "net.ipv4.tcp_moderate_rcvbuf",
                                                    "net.ipv4.tcp_mtu_probing",
                                                    "net.ipv4.tcp_no_metrics_save",
                                                    "net.ipv4.tcp_no_ssthresh_metrics_save",
                                                    "net.ipv4.tcp_notsent_lowat",
                                                    "net.ipv4.tcp_recovery",
                                                    "net.ipv4.tcp_retries2",
                                                    "net.ipv4.tcp_rmem",
                                                    "net.ipv4.tcp_sack",
                                                    "net.ipv4.tcp_slow_start_after_idle",
                                                    "net.ipv4.tcp_syn_linear_timeouts",
                                                    "net.ipv4.tcp_syn_retries",
                                                    "net.ipv4.tcp_timestamps",
                                                    "net.ipv4.tcp_window_scaling",
                                                    "net.ipv4.tcp_wmem"};

std::string pathOf(std::string_view key, const std::filesystem::path& procRoot) {
  std::string path(key);
  std::replace(path.begin(), path.end(), '.', '/');
  return procRoot / "sys" / path;
}

HostFact factOf(std::string_view key, std::string value) {
  std::replace(value.begin(), value.end(), '\t', ' ');
  return {UntrustedText(std::string(key)), UntrustedText(value)};
}

/// In the child: every file as far as it can be read, each ended by a zero byte, empty for none. Only system calls.
void sendFiles(int pipe, const std::array<std::string, kKeys.size()>& paths) {
  std::array<char, 512> text{};
  for (const std::string& path : paths) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    const ssize_t size = file >= 0 ? read(file, text.data(), text.size() - 1) : 0;
    if (file >= 0) close(file);
    const auto length = static_cast<std::size_t>(std::max<ssize_t>(size, 0));
    text.at(length) = '\0';
    if (write(pipe, text.data(), length + 1) < 0) return;
  }
}

}  // namespace

HostFacts readSysctlFacts(const std::filesystem::path& procRoot) {
  HostFacts facts;
  for (const std::string_view key : kKeys) {
    std::ifstream file(pathOf(key, procRoot));
    std::string value;
    if (std::getline(file, value)) facts.push_back(factOf(key, std::move(value)));
  }
  return facts;
}

HostFacts readSysctlFactsIn(const NetworkNamespace& where) {
  std::array<std::string, kKeys.size()> paths;
  for (std::size_t index = 0; index < kKeys.size(); ++index) paths.at(index) = pathOf(kKeys.at(index), "/proc");
  // What /proc/sys/net shows goes by the namespace of the process that asks: a child enters and reads.
  const auto output = outputOfFork([&](int pipe) {
    if (enterNetworkNamespace(where.path().c_str())) sendFiles(pipe, paths);
  });
  const std::string texts = output ? output->text : std::string();
  HostFacts facts;
  std::size_t from = 0;
  for (const std::string_view key : kKeys) {
    const std::size_t end = texts.find('\0', from);
    if (end == std::string::npos) break;
    const std::string line = texts.substr(from, std::min(texts.find('\n', from), end) - from);
    if (!line.empty()) facts.push_back(factOf(key, line));
    from = end + 1;
  }
  return facts;
}

}  // namespace tcpscope
