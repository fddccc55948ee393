// What a person reads when a call of the system failed: what happened, why, what to do next; one line. The sentence
// about a filter (core/filter/connection_filter.h) is made here, too.
#pragma once

#include <string>

#include "core/base/system_error.h"

namespace tcpscope {

std::string sentence(const SystemError& error);

/// What ssh(1) takes of an address (app/remote/ssh_address.h): "root@db1" of "root@db1/web", whose network namespace it
/// does not know.
std::string loginOf(const std::string& address);

}  // namespace tcpscope
