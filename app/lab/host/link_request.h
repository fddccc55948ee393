// Requests about network devices that only netlink grants inside of a user namespace (rtnetlink(7)).
#pragma once

#include <string>

#include "app/lab/host/device_control.h"
#include "core/base/expected.h"
#include "core/lab/lab_error.h"

namespace tcpscope::lab {

/// How many packets wait for the device, or in a TUN device for its reader. In the caller's network namespace.
Expected<void, LabError> setTransmitQueue(int deviceIndex, std::uint32_t packets);

}  // namespace tcpscope::lab
