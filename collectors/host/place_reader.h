// What names a place: this host, its boot and the network namespace one is in.
//
// What cannot be read stays empty; nothing here fails.
#pragma once

#include <filesystem>
#include <string>

#include "core/host/place.h"

namespace tcpscope {

/// The place of the caller. `procRoot` is usually /proc, `namedNamespaces` where `ip netns` keeps names. The network
/// namespace is given as its name where it has one, else as its inode number ("4026531840").
Place readPlace(PlaceId id, const std::filesystem::path& procRoot = "/proc",
                const std::filesystem::path& namedNamespaces = "/run/netns");

}  // namespace tcpscope
