// Settings in a message of D-Bus: `a{ss}`, from keys to values.
#pragma once

#include <vector>

#include "app/changes/bus/bus_handles.h"
#include "core/changes/setting_rule.h"

namespace tcpscope {

/// The next `a{ss}` of the message, as it was sent: nothing but its size is looked at. Takes what it has from
/// `bytesLeft`. A negative errno, which is E2BIG for more settings or bytes than a request may have.
int readSettings(sd_bus_message* message, std::vector<WantedSetting>& settings, std::size_t& bytesLeft);

/// A negative errno where there is no memory.
int appendSettings(sd_bus_message* message, const std::vector<WantedSetting>& settings);

}  // namespace tcpscope
