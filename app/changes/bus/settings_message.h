// Settings in a message of D-Bus: `a{ss}`, from keys to values.
#pragma once

#include <vector>

#include "app/changes/bus/bus_handles.h"
#include "core/changes/setting_rule.h"

namespace tcpscope {

/// Reads the next `a{ss}` of the message; only its size is validated, and subtracted from `bytesLeft`. Returns a
/// negative errno, E2BIG for more settings or bytes than a request may have.
int readSettings(sd_bus_message* message, std::vector<WantedSetting>& settings, std::size_t& bytesLeft);

/// A negative errno if memory runs out.
int appendSettings(sd_bus_message* message, const std::vector<WantedSetting>& settings);

}  // namespace tcpscope
