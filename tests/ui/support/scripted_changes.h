// A door to changes that changes nothing: a test fills its state by hand, calls move it on at once.
#pragma once

#include "ui/feed/change_port.h"

namespace tcpscope::test {

class ScriptedChanges final : public ChangePort {
public:
  void preview(const HostChangeRequest& request) override {
    current.phase = HostChangePhase::previewed;
    current.place = request.place.id;
    previewed.push_back(request);
  }
  void apply(bool persist) override {
    current.phase = HostChangePhase::changing;
    persisted = persist;
  }
  void keep() override { current.phase = HostChangePhase::kept, current.undoneIn.reset(); }
  void undo() override { current.phase = HostChangePhase::undone, current.undoneIn.reset(); }
  void refresh() override { refreshes++; }
  void forget() override { current = {}; }
  HostChangeState state() override { return current; }

  HostChangeState current;
  std::vector<HostChangeRequest> previewed{};
  bool persisted = false;
  int refreshes = 0;
};

}  // namespace tcpscope::test
