// Which packets a link loses at random: one decision a packet, from the link's own random numbers.
//
// What it counted and the state it is in survive a change of the settings.
#pragma once

#include "app/lab/path/link_settings.h"
#include "core/base/random_stream.h"

namespace tcpscope::lab {

class LossProcess {
public:
  LossProcess(const LossSettings& settings, RandomStream random);
  void change(const LossSettings& settings);

  /// To be asked once for each packet that loss may hit; those with payload always are.
  bool isLost(bool hasPayload);

private:
  bool decide(std::monostate /*none*/) { return false; }
  bool decide(const BernoulliLoss& loss) { return m_random.happens(loss.ratio); }
  bool decide(const GilbertElliottLoss& loss);
  bool decide(const ScriptedLoss& loss);

  LossSettings m_settings;
  RandomStream m_random;
  bool m_isBad = false;
  bool m_hasPayload = false;
  std::uint64_t m_packetsWithPayload = 0;
};

}  // namespace tcpscope::lab
