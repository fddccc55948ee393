#include <array>

#include "core/host/host_checkup.h"

namespace tcpscope {

namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(CheckId::count)> kIds = {
    "link_speed",
    "duplex",
    "cable",
    "link_lost",
    "bus",
    "receive_ring",
    "transmit_drops",
    "mtu",
    "packet_backlog",
    "packet_budget",
    "one_processor",
    "accept_queue",
    "receive_pruned",
    "receive_collapsed",
    "memory_pressure",
    "memory_aborts",
    "socket_backlog",
    "send_queue_too_big",
    "reverse_path",
    "offloads",
    "large_receive",
    "queue_discipline",
    "remembered_threshold",
    "group_memory",
    "tunnel",
    "default_route",
    "route_settings",
    "other_tuners",
    "ring_size",
    "interrupt_delay",
    "one_thread",
    "processor_wait",
    "disk_wait",
    "small_writes",
    "interrupt_spread",
    "bus_neighbours",
    "hops",
    "path_mtu",
    "orphans",
    "congestion_controls",
};

}  // namespace

std::string_view name(CheckId id) {
  return kIds.at(static_cast<std::size_t>(id));
}

std::string_view name(CheckLayer layer) {
  constexpr std::array<std::string_view, 5> kLayers = {"physical", "data_link", "network", "transport", "application"};
  return kLayers.at(static_cast<std::size_t>(layer));
}

std::string_view name(DeviceKind kind) {
  constexpr std::array<std::string_view, 7> kDeviceKinds = {"storage",    "network",     "display", "multimedia",
                                                            "serial bus", "accelerator", "other"};
  return kDeviceKinds.at(static_cast<std::size_t>(kind));
}

std::string_view name(CheckStatus status) {
  constexpr std::array<std::string_view, 4> kStatuses = {"pass", "warn", "fail", "unknown"};
  return kStatuses.at(static_cast<std::size_t>(status));
}

std::string_view name(UnknownReason reason) {
  constexpr std::array<std::string_view, static_cast<std::size_t>(UnknownReason::count)> kReasons = {
      "not_told", "not_permitted", "not_supported", "began_anew",  "ended",
      "replaced", "switched_off",  "not_counted",   "not_answered"};
  return kReasons.at(static_cast<std::size_t>(reason));
}

}  // namespace tcpscope
