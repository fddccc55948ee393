// The settings that both programs which kill change: those of a network namespace of their own.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace tcpscope {

struct ChangeableSetting {
  std::string key;
  std::string original;
  std::vector<std::string> values;
};

inline const std::array<ChangeableSetting, 4> kSettings = {{
    {"net.ipv4.tcp_sack", "1", {"0"}},
    {"net.ipv4.tcp_rmem",
     "4096 131072 6291456",
     {"4096 131072 67108864", "4096 131072 16777216", "4096 87380 8388608"}},
    {"net.ipv4.tcp_wmem", "4096 16384 4194304", {"8192 65536 33554432", "4096 16384 16777216"}},
    {"net.ipv4.tcp_slow_start_after_idle", "1", {"0"}},
}};

}  // namespace tcpscope
