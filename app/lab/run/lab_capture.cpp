#include "app/lab/run/lab_capture.h"

#include <fmt/format.h>

#include <iterator>

#include "collectors/system/new_file.h"
#include "core/base/escape.h"

namespace tcpscope::lab {

Expected<std::vector<CaptureFile>, SystemError> createCaptures(const Scenario& scenario,
                                                               const std::filesystem::path& folder) {
  std::vector<CaptureFile> files;
  for (const AttachedHost& host : scenario.path.hosts) {
    CaptureFile file;
    file.path = folder / (scenario.name + "-" + host.name + ".pcapng");
    auto made = NewFile::create(file.path);
    auto named = made ? made->takeName() : Expected<void, int>(Unexpected<int>(made.error()));
    if (!named) {
      return Unexpected<SystemError>({SystemAttempt::writeRecording, named.error(), UntrustedText(file.path.string())});
    }
    file.descriptor = made->takeDescriptor();
    files.push_back(std::move(file));
  }
  return files;
}

std::string pathEventsCsv(std::span<const PathEvent> events, std::span<const LinkReport> links,
                          const ClockPair& clocks) {
  std::string csv = "time_s,event,link,source,destination,sequence,payload_bytes\n";
  for (const PathEvent& event : events) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    const std::int64_t time = clocks.wallAt(event.time).nanoseconds();
    const std::string link = event.link < links.size() ? links[event.link].name : std::string();
    fmt::format_to(std::back_inserter(csv), "{}.{:09},{},{},{},{},{},{}\n", time / kSecond, time % kSecond,
                   name(event.kind), forCsv(link), event.source.toString(), event.destination.toString(),
                   event.sequence, event.payloadBytes);
  }
  return csv;
}

}  // namespace tcpscope::lab
