// What programs cost their host, on a clock and with sockets of the test.
#include "app/lab/traffic/host_meter.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <map>

#include "collectors/system/owned_descriptor.h"

namespace tcpscope::lab {
namespace {

using namespace std::chrono_literals;

Moment after(Nanoseconds span) {
  return Moment::fromNanoseconds(1'000'000'000) + span;
}

struct FakeProgram {
  std::map<int, std::int64_t> sockets;
  Nanoseconds processorTime{0};

  MeterSources sources() {
    return {[this](int socket) -> std::optional<std::int64_t> {
              const auto found = sockets.find(socket);
              return found == sockets.end() ? std::nullopt : std::optional(found->second);
            },
            [this] { return processorTime; }};
  }
};

TEST(ProgramMeter, KeepsTheMostThatAllSocketsHeldTogether) {
  HostMeter host{};
  FakeProgram program;
  ProgramMeter meter(host, program.sources());
  meter.add(1);
  meter.add(2);
  program.sockets = {{1, 1000}, {2, 500}};
  meter.after(after(0ms));
  EXPECT_EQ(host.memoryPeak.load(), 1500);
  program.sockets = {{1, 100}, {2, 700}};
  meter.after(after(100ms));
  EXPECT_EQ(host.memory.load(), 800);
  EXPECT_EQ(host.memoryPeak.load(), 1500);
}

TEST(ProgramMeter, KnowsNoMemoryWhereNoSocketCanBeRead) {
  HostMeter host{};
  FakeProgram program;
  ProgramMeter meter(host, program.sources());
  meter.add(1);
  EXPECT_EQ(host.programs.load(), 0U) << "before its first sample";
  meter.sample(after(0ms));
  EXPECT_EQ(host.programs.load(), 1U);
  EXPECT_FALSE(host.knowsMemory.load());
  program.sockets = {{2, 100}};
  meter.add(2);
  meter.sample(after(100ms));
  EXPECT_TRUE(host.knowsMemory.load());
  EXPECT_EQ(host.programs.load(), 1U);
}

TEST(ProgramMeter, AddsUpTheProgramsOfAHost) {
  HostMeter host{};
  FakeProgram one;
  FakeProgram other;
  ProgramMeter ofOne(host, one.sources());
  ProgramMeter ofOther(host, other.sources());
  ofOne.add(1);
  ofOther.add(1);
  one.sockets = {{1, 1000}};
  one.processorTime = 30ms;
  ofOne.sample(after(0ms));
  other.sockets = {{1, 200}};
  other.processorTime = 4ms;
  ofOther.sample(after(1ms));
  one.processorTime = 35ms;
  ofOne.sample(after(2ms));
  EXPECT_EQ(host.programs.load(), 2U);
  EXPECT_EQ(host.memoryPeak.load(), 1200);
  EXPECT_EQ(Nanoseconds(host.processorTime.load()), 39ms);
}

TEST(ProgramMeter, AClosedSocketHoldsNothing) {
  HostMeter host{};
  FakeProgram program;
  ProgramMeter meter(host, program.sources());
  meter.add(1);
  program.sockets = {{1, 1000}};
  meter.sample(after(0ms));
  program.sockets.clear();
  meter.sample(after(20ms));
  EXPECT_EQ(host.memory.load(), 0);
  program.sockets = {{1, 300}};
  meter.sample(after(40ms));
  EXPECT_EQ(host.memory.load(), 0) << "another socket under the same number, which was not added";
}

TEST(ProgramMeter, SamplesAtMostEveryTenMillisecondsAndIsDueForWhatItLeftOut) {
  HostMeter host{};
  FakeProgram program;
  ProgramMeter meter(host, program.sources());
  meter.add(1);
  program.sockets = {{1, 100}};
  meter.after(after(0ms));
  EXPECT_FALSE(meter.dueAt());
  program.sockets = {{1, 900}};
  program.processorTime = 1ms;
  meter.before(after(1ms));
  meter.after(after(1ms));
  EXPECT_EQ(host.memoryPeak.load(), 100);
  ASSERT_TRUE(meter.dueAt());
  EXPECT_GE(*meter.dueAt(), after(10ms));
  EXPECT_LT(*meter.dueAt(), after(11ms));
  meter.after(*meter.dueAt());
  EXPECT_EQ(host.memoryPeak.load(), 900);
  EXPECT_EQ(Nanoseconds(host.processorTime.load()), 1ms);
  EXPECT_FALSE(meter.dueAt());
}

TEST(ProgramMeter, SeesWhatIsHeldBeforeTheProgramReadsIt) {
  HostMeter host{};
  FakeProgram program;
  ProgramMeter meter(host, program.sources());
  meter.add(1);
  program.sockets = {{1, 5000}};
  meter.before(after(0ms));
  program.sockets = {{1, 0}};
  meter.after(after(0ms));
  EXPECT_EQ(host.memoryPeak.load(), 5000);
  EXPECT_EQ(host.memory.load(), 0);
}

TEST(SocketMemory, IsWhatTheQueuesOfAConnectionHold) {
  const OwnedDescriptor listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  socklen_t length = sizeof address;
  ASSERT_EQ(bind(listener.get(), plain, length), 0);
  ASSERT_EQ(listen(listener.get(), 1), 0);
  ASSERT_EQ(getsockname(listener.get(), plain, &length), 0);
  const OwnedDescriptor sender(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(connect(sender.get(), plain, length), 0);
  const OwnedDescriptor receiver(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
  constexpr std::array<char, 10'000> kData{};
  ASSERT_EQ(send(sender.get(), kData.data(), kData.size(), 0), static_cast<ssize_t>(kData.size()));
  const auto sent = socketMemory(sender.get());
  const auto received = socketMemory(receiver.get());
  ASSERT_TRUE(sent && received);
  EXPECT_GE(*sent + *received, static_cast<std::int64_t>(kData.size()));
  EXPECT_FALSE(socketMemory(-1));
}

}  // namespace
}  // namespace tcpscope::lab
