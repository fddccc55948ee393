// What the kernel calls one boot: /proc/sys/kernel/random/boot_id (random(4)).
#pragma once

#include <string_view>

namespace tcpscope {

/// Whether a text could be one: 36 hexadecimal digits and dashes.
bool isBootId(std::string_view text);

}  // namespace tcpscope
