#include "core/wire/loss/loss_record.h"

namespace tcpscope {

bool LossRecord::addLoss(const Loss& loss) {
  const bool isNew = m_losses.emplace(loss.position, loss).second;
  if (!isNew || m_losses.size() <= kLossesAtMost) return isNew;
  m_losses.erase(std::prev(m_losses.end()));
  ++m_lossesBeyond;
  return true;
}

void LossRecord::addSpurious(std::optional<std::uint64_t> position) {
  ++m_spurious;
  if (position) m_losses.erase(*position);
}

std::vector<Loss> LossRecord::losses() const {
  std::vector<Loss> losses;
  losses.reserve(m_losses.size());
  for (const auto& [position, loss] : m_losses) losses.push_back(loss);
  return losses;
}

std::uint64_t LossRecord::coveredPackets() const {
  return m_lossesBeyond > 0 && !m_losses.empty() ? m_losses.rbegin()->first + 1 : m_sent.packets();
}

}  // namespace tcpscope
