// Waits until no step of a change is pending.
#pragma once

#include "app/desktop/host_changer.h"
#include "tests/app/desktop/demo_waiting.h"

namespace tcpscope::test {

inline HostChangeState settled(HostChanger& changer) {
  using Phase = HostChangePhase;
  HostChangeState state;
  comesTrue([&] {
    state = changer.state();
    return state.phase != Phase::previewing && state.phase != Phase::changing && state.phase != Phase::keeping &&
           state.phase != Phase::undoing;
  });
  return state;
}

}  // namespace tcpscope::test
