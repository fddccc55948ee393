// Why a view of one connection has nothing to show: live, in a recording, and where nothing is selected.
#include "ui/views/view.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

class WhyNoDetail : public testing::Test {
protected:
  static SnapshotPointer snapshotOfPlace(const char* recording) {
    auto snapshot = std::make_shared<SessionSnapshot>();
    Place place;
    place.recording = UntrustedText(recording);
    snapshot->places = {place};
    return snapshot;
  }
  void select() { m_selection.setConnection(ConnectionId{PlaceId{0}, 7}); }

  Selection m_selection;
};

TEST_F(WhyNoDetail, ALiveConnectionIsAwaited) {
  select();
  EXPECT_EQ(whyNoDetail(snapshotOfPlace(""), m_selection), "Waiting for the first sample of this connection…");
}

TEST_F(WhyNoDetail, ARecordingDoesNotHaveTheConnectionAtEachMoment) {
  select();
  EXPECT_EQ(whyNoDetail(snapshotOfPlace("slow.tcpscope"), m_selection),
            "The recording does not contain this connection at this time.");
}

TEST_F(WhyNoDetail, NothingIsAwaitedOfAPlaceThatLeft) {
  select();
  EXPECT_EQ(whyNoDetail(std::make_shared<SessionSnapshot>(), m_selection), "Select a connection in the list.");
}

TEST_F(WhyNoDetail, WithoutASelectionItIsWanted) {
  EXPECT_EQ(whyNoDetail(snapshotOfPlace(""), m_selection), "Select a connection in the list.");
}

}  // namespace
}  // namespace tcpscope
