// Owning handles of sd-bus objects (sd-bus(3)).
#pragma once

#include <systemd/sd-bus.h>

#include <memory>

namespace tcpscope {

struct BusRelease {
  void operator()(sd_bus* bus) const { sd_bus_flush_close_unref(bus); }
  void operator()(sd_bus_message* message) const { sd_bus_message_unref(message); }
  void operator()(sd_bus_slot* slot) const { sd_bus_slot_unref(slot); }
  void operator()(sd_bus_track* track) const { sd_bus_track_unref(track); }
  void operator()(sd_bus_creds* credentials) const { sd_bus_creds_unref(credentials); }
};

using BusHandle = std::unique_ptr<sd_bus, BusRelease>;
using BusMessage = std::unique_ptr<sd_bus_message, BusRelease>;
using BusSlot = std::unique_ptr<sd_bus_slot, BusRelease>;
using BusTrack = std::unique_ptr<sd_bus_track, BusRelease>;
using BusCredentials = std::unique_ptr<sd_bus_creds, BusRelease>;

}  // namespace tcpscope
