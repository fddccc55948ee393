#include "app/lab/path/loss_process.h"

#include <algorithm>

namespace tcpscope::lab {

LossProcess::LossProcess(const LossSettings& settings, RandomStream random) : m_random(random) {
  change(settings);
}

void LossProcess::change(const LossSettings& settings) {
  m_settings = settings;
  if (auto* scripted = std::get_if<ScriptedLoss>(&m_settings)) {
    std::sort(scripted->packets.begin(), scripted->packets.end());
  }
}

bool LossProcess::isLost(bool hasPayload) {
  m_hasPayload = hasPayload;
  if (hasPayload) ++m_packetsWithPayload;
  return std::visit([this](const auto& loss) { return decide(loss); }, m_settings);
}

bool LossProcess::decide(const GilbertElliottLoss& loss) {
  const double leaves = m_isBad ? loss.badToGood : loss.goodToBad;
  if (m_random.happens(leaves)) m_isBad = !m_isBad;
  return m_random.happens(m_isBad ? loss.lossInBad : loss.lossInGood);
}

bool LossProcess::decide(const ScriptedLoss& loss) {
  return m_hasPayload && std::binary_search(loss.packets.begin(), loss.packets.end(), m_packetsWithPayload);
}

}  // namespace tcpscope::lab
