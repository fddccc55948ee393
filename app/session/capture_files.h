// Captures from files into their analysis, one after the other.
//
// Files that follow one another in time are one capture (what tcpdump -C or dumpcap -b cut into pieces); one that
// begins before the last has ended is a capture of its own, as the two ends' captures of one connection are. What is
// wrong with a file stands in its CapturedFile; reading goes on with the next.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/session/capture_memory.h"
#include "core/session/capture/capture_analysis.h"
#include "core/session/capture/captured_file.h"

namespace tcpscope {

/// Files that follow one another, analysed as one.
struct AnalysedCapture {
  CaptureAnalysis analysis;
  /// The position of each file, and how many connections had begun before it.
  struct Part {
    std::size_t file = 0;
    std::size_t firstConnection = 0;
  };
  std::vector<Part> parts;

  /// The file in which the connection begins.
  [[nodiscard]] std::size_t fileOf(std::size_t connection) const;
};

struct AnalysedFiles {
  std::vector<CapturedFile> files;
  std::vector<std::unique_ptr<AnalysedCapture>> captures;

  [[nodiscard]] bool wasStopped() const;
  /// None of the files gave a single packet, as each of them has the fault.
  [[nodiscard]] bool isRefused() const;
};

struct CaptureProgress {
  std::size_t file = 0;
  std::uint64_t packets = 0;
  /// Of the file, packed as it may be; the size is not known of a pipe.
  std::uint64_t bytesRead = 0;
  std::optional<std::uint64_t> bytes;
};

struct CaptureFileSettings {
  bool insideTunnels = false;
  /// Of the analysis of all files together.
  std::size_t mostBytes = captureMemory();
  /// Asked every few thousand packets; false stops the reading. May be empty.
  std::function<bool(const CaptureProgress&)> goOn;
  /// Readable once reading shall stop: wakes a read of standard input. Negative where there is none.
  int wakeDescriptor = -1;
};

/// Is it a recording of tcpscope, compressed or not? Standard input can be read only once, so it is never checked.
bool isRecording(const std::string& name);

/// "-" is standard input.
AnalysedFiles analyseFiles(const std::vector<std::string>& names, const CaptureFileSettings& settings);

}  // namespace tcpscope
