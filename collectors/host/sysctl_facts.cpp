#include "collectors/host/sysctl_facts.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <string_view>

#include "core/text/escape.h"

namespace tcpscope {

namespace {

constexpr std::array<std::string_view, 19> kKeys = {"net.core.default_qdisc",
                                                    "net.core.rmem_max",
                                                    "net.core.wmem_max",
                                                    "net.ipv4.tcp_adv_win_scale",
                                                    "net.ipv4.tcp_congestion_control",
                                                    "net.ipv4.tcp_ecn",
                                                    "net.ipv4.tcp_frto",
                                                    "net.ipv4.tcp_mem",
                                                    "net.ipv4.tcp_moderate_rcvbuf",
                                                    "net.ipv4.tcp_mtu_probing",
                                                    "net.ipv4.tcp_no_metrics_save",
                                                    "net.ipv4.tcp_notsent_lowat",
                                                    "net.ipv4.tcp_recovery",
                                                    "net.ipv4.tcp_rmem",
                                                    "net.ipv4.tcp_sack",
                                                    "net.ipv4.tcp_slow_start_after_idle",
                                                    "net.ipv4.tcp_timestamps",
                                                    "net.ipv4.tcp_window_scaling",
                                                    "net.ipv4.tcp_wmem"};

}  // namespace

HostFacts readSysctlFacts(const std::filesystem::path& procRoot) {
  HostFacts facts;
  for (const std::string_view key : kKeys) {
    std::string path(key);
    std::replace(path.begin(), path.end(), '.', '/');
    std::ifstream file(procRoot / "sys" / path);
    std::string value;
    if (!std::getline(file, value)) continue;
    std::replace(value.begin(), value.end(), '\t', ' ');
    facts.push_back({UntrustedText(std::string(key)), UntrustedText(value)});
  }
  return facts;
}

SysctlValues sysctlValues(const HostFacts& facts) {
  SysctlValues values;
  for (const HostFact& fact : facts) values.set(forPlainText(fact.key), forPlainText(fact.value));
  return values;
}

}  // namespace tcpscope
