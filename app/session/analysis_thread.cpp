#include "app/session/analysis_thread.h"

namespace tcpscope {

namespace {

/// Some 60 KB a batch, which stays in a processor's cache from one thread to the other.
constexpr std::size_t kPacketsABatch = 512;
/// A TCP header has 40 bytes of options at most.
constexpr std::size_t kOptionBytesABatch = kPacketsABatch * 40;

}  // namespace

AnalysisThread::AnalysisThread(CaptureAnalysis& analysis) : m_analysis(analysis) {
  for (Batch& batch : m_batches) {
    batch.packets.reserve(kPacketsABatch);
    batch.options.reserve(kOptionBytesABatch);
  }
  m_thread = std::jthread([this] { run(); });
}

void AnalysisThread::take(const PacketSample& packet) {
  if (filling().options.size() + packet.options.size() > kOptionBytesABatch) handOver();
  Batch& batch = filling();
  batch.packets.push_back(packet);
  const std::size_t place = batch.options.size();
  batch.options.insert(batch.options.end(), packet.options.begin(), packet.options.end());
  batch.packets.back().options = {batch.options.data() + place, packet.options.size()};
  if (batch.packets.size() == kPacketsABatch) handOver();
}

void AnalysisThread::handOver() {
  std::unique_lock lock(m_mutex);
  ++m_filled;
  m_isFilled.notify_one();
  if (m_filled - m_analysed == kBatches) {
    m_isEmptied.wait(lock, [this] { return m_filled - m_analysed <= kEnoughFree; });
  }
  Batch& next = filling();
  next.packets.clear();
  next.options.clear();
}

void AnalysisThread::finish() {
  if (!m_thread.joinable()) return;
  {
    const std::lock_guard lock(m_mutex);
    if (!filling().packets.empty()) ++m_filled;
    m_isLast = true;
    m_isFilled.notify_one();
  }
  m_thread.join();
}

void AnalysisThread::run() {
  std::unique_lock lock(m_mutex);
  while (true) {
    m_isFilled.wait(lock, [this] { return m_filled > m_analysed || m_isLast; });
    if (m_filled == m_analysed) return;
    const Batch& batch = m_batches.at(m_analysed % kBatches);
    lock.unlock();
    for (const PacketSample& packet : batch.packets) m_analysis.take(packet);
    lock.lock();
    ++m_analysed;
    if (m_filled - m_analysed <= kEnoughFree) m_isEmptied.notify_one();
  }
}

}  // namespace tcpscope
