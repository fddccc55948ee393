// Real programs of every Linux: their streams, ends and errors, and that nothing of them stays behind.
#include "collectors/system/child_process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "collectors/system/child_output.h"
#include "collectors/system/monotonic_clock.h"

namespace tcpscope {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr Nanoseconds kSoon = std::chrono::seconds(30);

ChildCommand shell(const std::string& script) {
  return {.arguments = {"/bin/sh", "-c", script}};
}

std::string readAll(const OwnedDescriptor& descriptor) {
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t size = 0; (size = read(descriptor.get(), part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(size));
  }
  return text;
}

std::string outputOfShell(const std::string& script) {
  const auto output = outputOf(shell(script));
  return output && output->isComplete ? output->text : "failed";
}

std::ptrdiff_t openDescriptors() {
  const std::filesystem::directory_iterator entries("/proc/self/fd");
  return std::distance(begin(entries), end(entries));
}

bool hasChildren() {
  return waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD;
}

TEST(ExitStatus, DistinguishesACodeFromASignal) {
  auto exits = ChildProcess::start(shell("exit 7"));
  auto dies = ChildProcess::start(shell("kill -TERM $$"));
  ASSERT_TRUE(exits && dies);
  const ExitStatus exited = exits->wait();
  EXPECT_EQ(exited.code(), 7);
  EXPECT_EQ(exited.signal(), std::nullopt);
  EXPECT_FALSE(exited.isSuccess());
  const ExitStatus killed = dies->wait();
  EXPECT_EQ(killed.code(), std::nullopt);
  EXPECT_EQ(killed.signal(), SIGTERM);
  EXPECT_FALSE(killed.isSuccess());
  // The end stays known.
  EXPECT_EQ(dies->waitFor(Nanoseconds(0))->signal(), SIGTERM);
}

TEST(ExitStatus, IsSuccessAsProgramsReportIt) {
  EXPECT_TRUE(ChildProcess::start({.arguments = {"true"}})->wait().isSuccess());
  EXPECT_FALSE(ChildProcess::start({.arguments = {"/bin/false"}})->wait().isSuccess());
  EXPECT_FALSE(ExitStatus().isSuccess());
}

TEST(ChildProcess, NamesAProgramThatCannotBeStarted) {
  const auto absent = ChildProcess::start({.arguments = {"no-such-program", "word"}});
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().errorNumber, ENOENT);
  EXPECT_EQ(absent.error().program, UntrustedText("no-such-program"));
  const auto folder = ChildProcess::start({.arguments = {"sh"}, .program = "/"});
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().errorNumber, EACCES);
  EXPECT_EQ(folder.error().program, UntrustedText("/"));
  EXPECT_FALSE(hasChildren());
}

TEST(ChildProcess, HasPipesForItsStreams) {
  ChildCommand command = shell("cat; echo problem >&2");
  command.input = command.output = command.errors = ChildStream::pipe();
  auto child = ChildProcess::start(command);
  ASSERT_TRUE(child);
  ASSERT_EQ(write(child->input().get(), "hello", 5), 5);
  child->input().reset();
  EXPECT_EQ(readAll(child->output()), "hello");
  EXPECT_EQ(readAll(child->errors()), "problem\n");
  EXPECT_TRUE(child->wait().isSuccess());
}

TEST(ChildProcess, HasFilesAndNullForItsStreams) {
  const OwnedDescriptor file(open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  ASSERT_TRUE(file);
  ChildCommand command = shell("cat; echo out; echo error >&2");
  command.input = ChildStream::null();
  command.output = ChildStream::to(file.get());
  command.errors = ChildStream::to(file.get());
  EXPECT_TRUE(ChildProcess::start(command)->wait().isSuccess());
  lseek(file.get(), 0, SEEK_SET);
  EXPECT_EQ(readAll(file), "out\nerror\n");
}

TEST(ChildProcess, ExchangesStandardStreams) {
  // As "2>&1 >file" and "1>&2" at once: each is what it was here before.
  ChildCommand command = shell("[ /proc/self/fd/1 -ef /proc/$PPID/fd/2 ] && [ /proc/self/fd/2 -ef /proc/$PPID/fd/1 ]");
  command.output = ChildStream::to(STDERR_FILENO);
  command.errors = ChildStream::to(STDOUT_FILENO);
  EXPECT_TRUE(ChildProcess::start(command)->wait().isSuccess());
}

TEST(ChildProcess, FailsWhereAStreamIsNoDescriptor) {
  ChildCommand command = shell("true");
  command.output = ChildStream::to(-1);
  EXPECT_EQ(ChildProcess::start(command).error().errorNumber, EBADF);
}

TEST(ChildProcess, LosesWhatDoesNotFitIntoANonBlockingPipe) {
  ChildCommand command = shell("head -c 1000000 /dev/zero >&2; exit 0");
  command.errors = ChildStream::nonBlockingPipe();
  auto child = ChildProcess::start(command);
  ASSERT_TRUE(child);
  EXPECT_TRUE(child->wait().isSuccess());
  EXPECT_LT(readAll(child->errors()).size(), 1'000'000U);
}

TEST(ChildProcess, InheritsOnlyWhatIsNamed) {
  const OwnedDescriptor null(open("/dev/null", O_RDONLY | O_CLOEXEC));
  // Not closed at exec.
  const OwnedDescriptor other(fcntl(null.get(), F_DUPFD, 50));
  std::array<int, 2> ends{};
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  const OwnedDescriptor here(ends[0]);
  OwnedDescriptor there(ends[1]);
  ChildCommand command = shell("echo /proc/$$/fd/* >&4; cat <&3");
  command.descriptors = {null.get(), there.get()};
  auto child = ChildProcess::start(command);
  ASSERT_TRUE(child);
  there.reset();
  const std::string listed = readAll(here);
  EXPECT_THAT(listed, HasSubstr("/fd/4"));
  EXPECT_THAT(listed, Not(HasSubstr("/fd/" + std::to_string(other.get()))));
  EXPECT_TRUE(child->wait().isSuccess());
}

TEST(ChildProcess, AddsToTheEnvironment) {
  setenv("TCPSCOPE_TEST", "old", 1);
  setenv("TCPSCOPE_TEST_KEPT", "kept", 1);
  ChildCommand command = shell("echo $TCPSCOPE_TEST $TCPSCOPE_TEST_KEPT; env | grep -c ^TCPSCOPE_TEST=");
  command.environment = {"TCPSCOPE_TEST=new"};
  EXPECT_EQ(outputOf(command)->text, "new kept\n1\n");
  unsetenv("TCPSCOPE_TEST");
  unsetenv("TCPSCOPE_TEST_KEPT");
}

TEST(ChildProcess, HasASessionOfItsOwnWhereWanted) {
  // The sixth field of proc(5)'s stat is the session.
  const std::string leads = "[ $(cut -d' ' -f6 /proc/$$/stat) = $$ ] && echo leads; :";
  EXPECT_EQ(outputOfShell(leads), "");
  ChildCommand command = shell(leads);
  command.hasOwnSession = true;
  EXPECT_EQ(outputOf(command)->text, "leads\n");
}

TEST(ChildProcess, HasDefaultSignalsWhereWanted) {
  const auto ignored = std::signal(SIGUSR1, SIG_IGN);
  ChildCommand command = shell("kill -USR1 $$; exit 3");
  EXPECT_EQ(ChildProcess::start(command)->wait().code(), 3);
  command.hasDefaultSignals = true;
  EXPECT_EQ(ChildProcess::start(command)->wait().signal(), SIGUSR1);
  std::signal(SIGUSR1, ignored);
}

TEST(ChildProcess, WaitsNoLongerThanAsked) {
  auto child = ChildProcess::start({.arguments = {"sleep", "600"}});
  ASSERT_TRUE(child);
  EXPECT_EQ(child->waitFor(Nanoseconds(0)), std::nullopt);
  EXPECT_EQ(child->waitFor(Milliseconds(20)), std::nullopt);
  child->signal(SIGTERM);
  const auto status = child->waitFor(kSoon);
  ASSERT_TRUE(status);
  EXPECT_EQ(status->signal(), SIGTERM);
}

TEST(ChildProcess, EndsWithItsObjectAlthoughItIgnoresSigterm) {
  const Moment before = monotonicNow();
  {
    ChildCommand command = shell("trap '' TERM; echo ready; exec sleep 600");
    command.output = ChildStream::pipe();
    auto child = ChildProcess::start(command);
    ASSERT_TRUE(child);
    char letter = 0;
    ASSERT_EQ(read(child->output().get(), &letter, 1), 1);
    child->signal(SIGTERM);
    EXPECT_EQ(child->waitFor(Milliseconds(20)), std::nullopt);
  }
  EXPECT_FALSE(hasChildren());
  EXPECT_LT(monotonicNow() - before, kSoon);
}

TEST(ChildProcess, MovesWithoutEnding) {
  ChildCommand command = shell("read word; exit 5");
  command.input = ChildStream::pipe();
  auto started = ChildProcess::start(command);
  ASSERT_TRUE(started);
  ChildProcess moved(std::move(*started));
  auto other = ChildProcess::start(shell("exit 6"));
  ASSERT_TRUE(other);
  *other = std::move(moved);
  EXPECT_EQ(other->waitFor(Nanoseconds(0)), std::nullopt);
  other->input().reset();
  EXPECT_EQ(other->wait().code(), 5);
}

TEST(ChildProcess, ReleasesAProcessToItsCaller) {
  pid_t process = -1;
  {
    ChildCommand command = shell("read word; exit 4");
    command.input = ChildStream::pipe();
    process = ChildProcess::start(command)->release();
  }
  int status = 0;
  ASSERT_EQ(waitpid(process, &status, 0), process);
  EXPECT_EQ(ExitStatus(status).code(), 4);
}

TEST(ChildProcess, RunsAFunctionInAFork) {
  int number = 1;
  auto child = ChildProcess::fork([&number] { return ++number; });
  ASSERT_TRUE(child);
  EXPECT_EQ(child->wait().code(), 2);
  EXPECT_EQ(number, 1);
}

TEST(ChildProcess, LeavesNeitherZombiesNorDescriptors) {
  const auto before = openDescriptors();
  for (int round = 0; round < 20; ++round) {
    ChildCommand command = {.arguments = {round % 2 == 0 ? "cat" : "no-such-program"}};
    command.input = command.output = command.errors = ChildStream::pipe();
    auto child = ChildProcess::start(command);
    if (child && round % 4 == 0) child->waitFor(Milliseconds(1));
    EXPECT_TRUE(outputOf(shell("echo word")));
    EXPECT_TRUE(outputOfFork([](int) {}));
  }
  EXPECT_EQ(openDescriptors(), before);
  EXPECT_FALSE(hasChildren());
}

TEST(ChildOutput, IsWholeWithItsExitCode) {
  const auto output = outputOf(shell("seq 5000; exit 9"));
  ASSERT_TRUE(output);
  EXPECT_TRUE(output->isComplete);
  EXPECT_EQ(output->text.size(), 23893U);
  EXPECT_EQ(output->status.code(), 9);
}

TEST(ChildOutput, IsBoundedInSize) {
  const auto output = outputOf(shell("exec cat /dev/zero"), {.maxBytes = 10'000});
  ASSERT_TRUE(output);
  EXPECT_FALSE(output->isComplete);
  EXPECT_EQ(output->text.size(), 10'000U);
  EXPECT_EQ(output->status.signal(), SIGKILL);
  EXPECT_TRUE(outputOf(shell("head -c 10000 /dev/zero"), {.maxBytes = 10'000})->isComplete);
}

TEST(ChildOutput, IsBoundedInTime) {
  for (const char* const script : {"echo word; exec sleep 600", "echo word; exec >&-; exec sleep 600"}) {
    const auto output = outputOf(shell(script), {.timeout = Milliseconds(200)});
    ASSERT_TRUE(output);
    EXPECT_FALSE(output->isComplete);
    EXPECT_EQ(output->status.signal(), SIGKILL);
  }
  EXPECT_FALSE(hasChildren());
}

TEST(ChildOutput, ComesFromAFork) {
  const auto output = outputOfFork([](int pipe) { EXPECT_EQ(write(pipe, "word", 4), 4); });
  ASSERT_TRUE(output);
  EXPECT_TRUE(output->isComplete);
  EXPECT_TRUE(output->status.isSuccess());
  EXPECT_EQ(output->text, "word");
}

}  // namespace
}  // namespace tcpscope
