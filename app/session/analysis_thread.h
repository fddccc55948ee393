// The analysis of a capture on a thread of its own, so that reading and decoding the file go on beside it.
//
// Packets go over in batches, in the order of the capture; a batch is filled, analysed and filled again, so that
// nothing is allocated while a file is read. Where the analysis is far behind, who reads waits until half of the
// batches are free.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "core/session/capture/capture_analysis.h"

namespace tcpscope {

class AnalysisThread {
public:
  /// `analysis` belongs to the thread until finish().
  explicit AnalysisThread(CaptureAnalysis& analysis);
  ~AnalysisThread() { finish(); }
  AnalysisThread(const AnalysisThread&) = delete;
  AnalysisThread& operator=(const AnalysisThread&) = delete;

  /// Copied, its options as well.
  void take(const PacketSample& packet);
  /// Comes back when every packet is analysed, and the thread has ended.
  void finish();

private:
  struct Batch {
    std::vector<PacketSample> packets;
    /// Of its packets, which have views into it: it never grows beyond what was reserved.
    std::vector<std::byte> options;
  };
  static constexpr std::size_t kBatches = 8;
  static constexpr std::size_t kEnoughFree = kBatches / 2;

  void handOver();
  void run();
  [[nodiscard]] Batch& filling() { return m_batches.at(m_filled % kBatches); }

  CaptureAnalysis& m_analysis;
  std::array<Batch, kBatches> m_batches;
  std::mutex m_mutex;
  std::condition_variable m_isFilled;
  std::condition_variable m_isEmptied;
  /// Batches handed over and analysed, since the start.
  std::uint64_t m_filled = 0;
  std::uint64_t m_analysed = 0;
  bool m_isLast = false;
  std::jthread m_thread;
};

}  // namespace tcpscope
