#include "app/session/publish_pacer.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

Moment at(Nanoseconds sinceStart) {
  return Moment() + sinceStart;
}

TEST(PublishPacer, WithoutNewsPublishesOnceAListInterval) {
  PublishPacer pacer(1000ms);
  pacer.published(at(5s), at(5s));
  EXPECT_EQ(pacer.due(), at(6s));
}

TEST(PublishPacer, NewsArePublishedSoonButAfterTheShortestGap) {
  PublishPacer pacer(1000ms);
  pacer.published(at(5s), at(5s));
  pacer.noteNews();
  EXPECT_EQ(pacer.due(), at(5s) + PublishPacer::kShortestGap);
}

TEST(PublishPacer, SnapshotsThatTakeLongComeFurtherApart) {
  PublishPacer pacer(1000ms);
  pacer.published(at(5s), at(5s + 100ms));
  pacer.noteNews();
  EXPECT_EQ(pacer.due(), at(5s + 500ms));
}

TEST(PublishPacer, NewsAreOldOncePublished) {
  PublishPacer pacer(1000ms);
  pacer.noteNews();
  pacer.published(at(5s), at(5s));
  EXPECT_EQ(pacer.due(), at(6s));
}

}  // namespace
}  // namespace tcpscope
