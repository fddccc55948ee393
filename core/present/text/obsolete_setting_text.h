// Why a setting that a guide may recommend should stay as it is, in words.
#pragma once

#include <string_view>

#include "core/changes/obsolete_setting.h"

namespace tcpscope {

/// "It lets ports be used again sooner and makes no transfer faster: …"
std::string_view sentence(ObsoleteReason reason);

}  // namespace tcpscope
