#include "app/session/capture_files.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "collectors/pcap/capture_reader.h"
#include "collectors/pcap/packet_decoder.h"

namespace tcpscope {

namespace {

constexpr std::uint64_t kPacketsBetweenQuestions = 4096;

/// Standard input that ends when a stop is requested.
class WakeableInput final : public ByteSource {
public:
  WakeableInput(std::unique_ptr<ByteSource> input, int wakeDescriptor)
      : m_input(std::move(input)), m_wakeDescriptor(wakeDescriptor) {}

  Expected<std::size_t, CaptureFault> read(std::span<std::byte> out) override {
    std::array<pollfd, 2> waiting = {{{STDIN_FILENO, POLLIN, 0}, {m_wakeDescriptor, POLLIN, 0}}};
    while (::poll(waiting.data(), waiting.size(), -1) < 0) {
    }
    if (waiting[1].revents != 0) return std::size_t{0};
    return m_input->read(out);
  }
  [[nodiscard]] std::optional<std::uint64_t> size() const override { return m_input->size(); }

private:
  std::unique_ptr<ByteSource> m_input;
  int m_wakeDescriptor;
};

Expected<std::unique_ptr<CaptureReader>, CaptureFault> openCapture(const std::string& name, int wakeDescriptor) {
  auto source = name == "-" ? openStandardInput() : openFile(name);
  if (!source) return Unexpected<CaptureFault>(source.error());
  if (name == "-" && wakeDescriptor >= 0) {
    *source = std::make_unique<WakeableInput>(std::move(*source), wakeDescriptor);
  }
  return CaptureReader::open(std::move(*source));
}

/// Reads one file into the capture that it belongs to.
class FileReading {
public:
  FileReading(AnalysedFiles& all, const CaptureFileSettings& settings, std::size_t index)
      : m_all(all),
        m_file(all.files[index]),
        m_settings(settings),
        m_index(index),
        m_decoder({settings.insideTunnels}) {}

  void run(CaptureReader& reader) {
    m_file.format = reader.format();
    while (const CaptureItem item = reader.next()) {
      if (item.fault != nullptr) {
        m_file.add(*item.fault);
        continue;
      }
      take(*item.frame);
      if (++m_file.packets % kPacketsBetweenQuestions == 0 && !mayGoOn(reader)) break;
    }
    if (!m_file.stoppedAt && !mayGoOn(reader)) {
      // Reading standard input was stopped in the middle of a packet.
      std::erase_if(m_file.faults, [](const CountedFault& one) { return one.first.kind == CaptureFaultKind::cut; });
    }
    m_file.reassembledFragments = m_decoder.reassembledFragments();
    m_file.backwardSteps = reader.counts().backwardSteps;
    m_file.droppedByStatistics = reader.drops().byStatistics.value_or(0);
    if (m_capture == nullptr) return;
    m_capture->analysis.finish();
    m_file.refusedSegments = m_capture->analysis.refusedPackets() - m_refusedBefore;
    m_file.segmentsBeyondMemory = m_capture->analysis.packetsBeyondMemory() - m_beyondMemoryBefore;
    if (m_file.droppedByStatistics > 0) m_capture->analysis.noteDrops();
  }

private:
  void take(const CapturedFrame& frame) {
    if (frame.time) noteTime(*frame.time);
    if (const auto reason = m_decoder.decode(m_sample, frame)) {
      m_file.addWithout(*reason, static_cast<std::uint16_t>(frame.linkType));
      return;
    }
    ++m_file.segments;
    if (m_capture == nullptr) findCapture(m_sample.time);
    m_capture->analysis.take(m_sample);
  }
  void noteTime(WallTime time) {
    if (!m_file.firstTime) m_file.firstTime = time;
    m_file.lastTime = m_file.lastTime ? std::max(*m_file.lastTime, time) : time;
  }
  void findCapture(WallTime time) {
    const bool follows = !m_all.captures.empty() && time >= endOf(m_all.captures.size() - 1);
    if (!follows) addCapture();
    m_capture = m_all.captures.back().get();
    m_file.capture = m_all.captures.size() - 1;
    m_refusedBefore = m_capture->analysis.refusedPackets();
    m_beyondMemoryBefore = m_capture->analysis.packetsBeyondMemory();
    m_capture->parts.push_back({m_index, m_capture->analysis.connectionCount()});
  }
  void addCapture() {
    std::size_t used = 0;
    for (const auto& capture : m_all.captures) used += capture->analysis.countedBytes();
    m_all.captures.push_back(std::make_unique<AnalysedCapture>());
    CaptureAnalysis& analysis = m_all.captures.back()->analysis;
    analysis.correctOrder();
    analysis.keepLogs();
    analysis.limitBytes(m_settings.mostBytes - std::min(used, m_settings.mostBytes));
  }
  [[nodiscard]] WallTime endOf(std::size_t capture) const {
    WallTime end;
    for (const AnalysedCapture::Part& part : m_all.captures[capture]->parts) {
      end = std::max(end, m_all.files[part.file].lastTime.value_or(end));
    }
    return end;
  }
  bool mayGoOn(const CaptureReader& reader) {
    const CaptureProgress progress{m_index, m_file.packets, reader.sourceBytesRead(), reader.sourceSize()};
    if (!m_settings.goOn || m_settings.goOn(progress)) return true;
    m_file.stoppedAt = progress.bytesRead;
    return false;
  }

  AnalysedFiles& m_all;
  CapturedFile& m_file;
  const CaptureFileSettings& m_settings;
  std::size_t m_index;
  AnalysedCapture* m_capture = nullptr;
  std::uint64_t m_refusedBefore = 0;
  std::uint64_t m_beyondMemoryBefore = 0;
  PacketDecoder m_decoder;
  PacketSample m_sample;
};

}  // namespace

std::size_t AnalysedCapture::fileOf(std::size_t connection) const {
  const auto after = std::upper_bound(parts.begin(), parts.end(), connection,
                                      [](std::size_t index, const Part& part) { return index < part.firstConnection; });
  return after == parts.begin() ? 0 : std::prev(after)->file;
}

bool AnalysedFiles::wasStopped() const {
  return std::any_of(files.begin(), files.end(), [](const CapturedFile& file) { return file.stoppedAt.has_value(); });
}

bool AnalysedFiles::isRefused() const {
  return std::all_of(files.begin(), files.end(), [](const CapturedFile& file) {
    return file.format == FileFormat::unknown && !file.faults.empty();
  });
}

bool isRecording(const std::string& name) {
  if (name == "-") return false;
  auto source = openFile(name);
  if (!source) return false;
  const auto reader = CaptureReader::open(std::move(*source));
  return !reader && reader.error().format == FileFormat::tcpscopeRecording;
}

AnalysedFiles analyseFiles(const std::vector<std::string>& names, const CaptureFileSettings& settings) {
  AnalysedFiles all;
  for (const std::string& name : names) {
    all.files.emplace_back();
    all.files.back().name = UntrustedText(name);
    auto reader = openCapture(name, settings.wakeDescriptor);
    if (!reader) {
      all.files.back().add(reader.error());
      continue;
    }
    FileReading(all, settings, all.files.size() - 1).run(**reader);
    if (all.wasStopped()) break;
  }
  return all;
}

}  // namespace tcpscope
