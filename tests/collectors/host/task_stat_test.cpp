// Lines of /proc/PID/task/TID/stat and schedstat, of real threads and of hostile ones.
#include "collectors/host/task_stat.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kTicks = 100;

/// Of Linux 6.18, with a name of the program's choice.
std::string line(const std::string& name) {
  return "917 (" + name +
         ") D 1 917 917 0 -1 4194560 1571 0 3 0 250 50 0 0 20 0 2 0 6124 5373952 1216 18446744073709551615 1 1 0 0 0 0 "
         "0 4096 0 0 0 0 17 0 0 0 7 0 0 0 0 0 0 0 0 0 0\n";
}

TEST(TaskStat, ReadsALine) {
  const auto stat = taskStatIn(line("rsync"), kTicks);
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->name.rawBytes(), "rsync");
  EXPECT_EQ(stat->state, 'D');
  EXPECT_EQ(stat->ran, 3s);
  EXPECT_EQ(stat->begun, 61'240ms);
  EXPECT_EQ(stat->waitedForDisk, Nanoseconds(70ms));
}

TEST(TaskStat, IsNotDeceivedByAName) {
  for (const std::string name : {"a) R 1 1", "x\n1 (y) S 2", "((((", "))))", "", " "}) {
    const auto stat = taskStatIn(line(name), kTicks);
    ASSERT_TRUE(stat) << name;
    EXPECT_EQ(stat->name.rawBytes(), name);
    EXPECT_EQ(stat->ran, 3s);
  }
}

TEST(TaskStat, RefusesOtherLines) {
  const std::string whole = line("rsync");
  for (const std::string& text :
       {std::string(), std::string(")("), std::string("1 (a"), whole.substr(0, 60), std::string(100'000, ')'),
        std::string("1 (a) S 1 1 1 0 -1 1 1 1 1 1 -5 1 1 1 1 1 1 1 1 1"),
        std::string("1 (a) S 1 1 1 0 -1 1 1 1 1 1 9223372036854775807 1 1 1 1 1 1 1 1 1")}) {
    EXPECT_FALSE(taskStatIn(text, kTicks)) << text.substr(0, 80);
  }
  EXPECT_FALSE(taskStatIn(whole, 0));
}

TEST(TaskStat, HasNoDiskWaitOnAKernelWithoutTheField) {
  const auto stat = taskStatIn("1 (a) S 1 1 1 0 -1 1 1 1 1 1 1 1 1 1 1 1 1 1 5\n", kTicks);
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->waitedForDisk, std::nullopt);
}

TEST(TaskStat, ReadsTheWaitForAProcessor) {
  EXPECT_EQ(processorWaitIn("438345 60597 3\n"), Nanoseconds(60'597));
  EXPECT_EQ(processorWaitIn("0 0 0\n"), std::nullopt) << "what a kernel says that does not count";
  EXPECT_EQ(processorWaitIn("1 -2 3\n"), std::nullopt);
  EXPECT_EQ(processorWaitIn("nonsense"), std::nullopt);
  EXPECT_EQ(processorWaitIn(""), std::nullopt);
}

}  // namespace
}  // namespace tcpscope
