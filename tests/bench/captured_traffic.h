// Captures of real TCP for the benches: the kernel's own transfers between two hosts, written down at the first of them
// as classic pcap (raw IP, microseconds, the first 96 bytes of each packet), which every program reads.
//
// Nothing where this machine cannot have network namespaces; standard error says why.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "core/base/units.h"

namespace tcpscope::bench {

struct CapturedTraffic {
  std::filesystem::path file;
  std::uint64_t packets = 0;
};

/// One transfer of so many bytes over a path of 2 ms, nothing lost. Some 1,000 packets a megabyte.
std::optional<CapturedTraffic> captureBulk(const std::filesystem::path& folder, Bytes payload);
/// Four at the same time, of which one packet in 200 is lost after the capture.
std::optional<CapturedTraffic> captureLossy(const std::filesystem::path& folder, Bytes payload);
/// So many connections, 16 at a time: a request of 100 bytes, an answer of 8,000.
std::optional<CapturedTraffic> captureShortFlows(const std::filesystem::path& folder, int connections);

/// 16 connections that exchange so many requests of 100 bytes and answers of 8,000 among them.
std::optional<CapturedTraffic> captureExchanges(const std::filesystem::path& folder, int exchanges);

}  // namespace tcpscope::bench
