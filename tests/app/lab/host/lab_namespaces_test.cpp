// The first process of a lab goes with the one that started it, also where that went before it could be bound.
#include "app/lab/host/lab_namespaces.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>

namespace tcpscope::lab {
namespace {

void awaitEnd(const OwnedDescriptor& process) {
  pollfd end{process.get(), POLLIN, 0};
  while (poll(&end, 1, -1) < 0 && errno == EINTR) {
  }
}

/// What the first process of new namespaces gets when it settles only after its parent has ended: an errno, or 0 where
/// it settled. Nothing where no namespaces can be created.
std::optional<int> settleWithoutParent() {
  std::array<int, 2> reported = {-1, -1};
  if (pipe(reported.data()) != 0) return std::nullopt;
  const OwnedDescriptor reads(reported[0]);
  OwnedDescriptor writes(reported[1]);
  const pid_t parent = fork();
  if (parent == 0) {
    const auto namespaces = cloneIntoLabNamespaces();
    if (!namespaces || namespaces->pid != 0) _exit(0);
    awaitEnd(namespaces->parent);
    const auto settled = settleInLabNamespaces(*namespaces);
    const int answer = settled ? 0 : settled.error().errorNumber;
    const bool isReported = write(writes.get(), &answer, sizeof answer) == sizeof answer;
    _exit(isReported ? 0 : 1);
  }
  writes.reset();
  waitpid(parent, nullptr, 0);
  int answer = -1;
  if (read(reads.get(), &answer, sizeof answer) != sizeof answer) return std::nullopt;
  return answer;
}

TEST(LabNamespaces, AreNotSettledInWithoutTheProcessThatMadeThem) {
  const auto answer = settleWithoutParent();
  if (!answer) GTEST_SKIP() << "no namespaces here";
  EXPECT_EQ(*answer, ESRCH);
}

}  // namespace
}  // namespace tcpscope::lab
