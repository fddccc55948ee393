// Two hosts on a short path, and traffic between them, for tests that run a lab.
#pragma once

#include "app/lab/scenario/scenario.h"

namespace tcpscope::test {

/// From sender to receiver, with the one congestion control that every kernel has.
inline lab::TrafficSettings traffic(const std::string& name, lab::TrafficKind kind = lab::TrafficKind::bulk) {
  lab::TrafficSettings settings;
  settings.name = name;
  settings.from = "sender";
  settings.to = "receiver";
  settings.kind = kind;
  settings.congestionControl = "reno";
  return settings;
}

/// "sender" and "receiver", 5 ms and 100 Mbit/s each way, and a connection between them that says nothing.
inline lab::Scenario twoHosts() {
  lab::Scenario scenario;
  scenario.name = "two_hosts";
  scenario.title = "Two hosts";
  scenario.story = "For a test.";
  lab::LinkSettings link;
  link.rate = BitsPerSecond(100e6);
  link.delay = Milliseconds(5);
  scenario.path.path = {link, link};
  scenario.path.hosts = {{"sender", lab::PathSide::left, {}}, {"receiver", lab::PathSide::right, {}}};
  lab::HostSettings sender;
  sender.name = "sender";
  lab::HostSettings receiver;
  receiver.name = "receiver";
  scenario.hosts = {sender, receiver};
  scenario.traffic = {traffic("silent", lab::TrafficKind::silent)};
  return scenario;
}

}  // namespace tcpscope::test
