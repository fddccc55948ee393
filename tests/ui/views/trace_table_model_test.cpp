#include "ui/views/scope/trace_table_model.h"

#include <gtest/gtest.h>

#include <QIcon>
#include <QPixmap>

namespace tcpscope {
namespace {

constexpr QSize kSize(28, 12);

// A table that is repainted for hours would fill the cache of pixmaps with copies.
TEST(TraceTableModel, PaintsTheSampleOfALineOnce) {
  EXPECT_EQ(lineSample(1).pixmap(kSize).cacheKey(), lineSample(1).pixmap(kSize).cacheKey());
  EXPECT_NE(lineSample(1).pixmap(kSize).cacheKey(), lineSample(2).pixmap(kSize).cacheKey());
}

}  // namespace
}  // namespace tcpscope
