// What the list says where it has no rows.
#include "ui/views/connection_list/connection_list_view.h"

#include <gtest/gtest.h>

#include "tests/ui/support/recording_port.h"

namespace tcpscope {
namespace {

class EmptyConnectionList : public testing::Test {
protected:
  void show(const Place& place, std::size_t totalRows = 0) {
    auto snapshot = std::make_shared<SessionSnapshot>();
    snapshot->places = {place};
    snapshot->totalRows = totalRows;
    m_list.setSnapshot(snapshot);
  }

  test::RecordingPort m_port;
  Selection m_selection;
  ControlState m_control{m_port};
  ConnectionListView m_list{ViewContext{m_selection, m_control}};
};

TEST_F(EmptyConnectionList, OffersADemoWhereTheMachineHasNone) {
  show({});
  EXPECT_TRUE(m_list.whyEmpty().contains("Demo")) << m_list.whyEmpty().toStdString();
}

TEST_F(EmptyConnectionList, SaysThatTheRecordingHasNoneAtThisMoment) {
  Place place;
  place.recording = UntrustedText("slow.tcpscope");
  show(place);
  EXPECT_EQ(m_list.whyEmpty(), "The recording contains no TCP connections at this time.");
}

TEST_F(EmptyConnectionList, SaysThatTheCaptureHasNone) {
  Place place;
  place.recording = UntrustedText("slow.pcap");
  place.isCapture = true;
  show(place);
  EXPECT_EQ(m_list.whyEmpty(), "No TCP connection found in the capture yet.");
}

TEST_F(EmptyConnectionList, NamesTheFilterThatHidesAll) {
  show({}, 3);
  EXPECT_TRUE(m_list.whyEmpty().contains("filter"));
}

}  // namespace
}  // namespace tcpscope
