// Which program sudo starts for a change of this host, as a user without rights.
#include "app/changes/transport/command_route.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "app/changes/transport/change_transport.h"
#include "collectors/host/place_reader.h"

namespace tcpscope {
namespace {

namespace fs = std::filesystem;

/// What `work` returns, in a process without rights and with a sudo that needs no password.
std::string withoutRights(const std::function<std::string()>& work) {
  std::string folder = (fs::temp_directory_path() / "tcpscope-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return "no folder";
  fs::permissions(folder, fs::perms(0755));
  const fs::path sudo = fs::path(folder) / "sudo";
  std::ofstream(sudo) << "#!/bin/sh\n";
  fs::permissions(sudo, fs::perms(0755));
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kUnprivilegedUser = 65534;
    setenv("PATH", folder.c_str(), 1);
    std::string said = "no other user to be";
    // root becomes a user without rights first; in a namespace of a user there is no such other one.
    if (geteuid() != 0 || setresuid(kUnprivilegedUser, kUnprivilegedUser, kUnprivilegedUser) == 0) said = work();
    _exit(write(ends[1], said.data(), said.size()) < 0 ? 1 : 0);
  }
  close(ends[1]);
  std::string said(4096, '\0');
  const ssize_t size = read(ends[0], said.data(), said.size());
  close(ends[0]);
  waitpid(child, nullptr, 0);
  fs::remove_all(folder);
  said.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  return said;
}

CommandResult succeed(const std::vector<std::string>& /*words*/, const std::stop_token& /*stop*/) {
  return {0, {}, {}};
}

std::string routeWith(const CheckProgram& check) {
  return withoutRights([&]() -> std::string {
    const auto route = changeRouteTo(readPlace(PlaceId{0}), "/planted/tcpscope-cli", succeed, check);
    return route ? route->rights.front() + " " + route->program : route.error();
  });
}

TEST(CommandRoute, StartsTheCheckedProgramAsRootOrNone) {
  const std::string checked =
      routeWith([](const std::string&) -> Expected<std::string, std::string> { return std::string("/checked"); });
  if (checked == "no other user to be") GTEST_SKIP() << checked;
  EXPECT_EQ(checked, "sudo /checked");
  EXPECT_EQ(routeWith([](const std::string& program) -> Expected<std::string, std::string> {
              return tl::unexpected(program + " is planted");
            }),
            "/planted/tcpscope-cli is planted");
}

TEST(CommandRoute, ChecksTheProgramByDefault) {
  const std::string said = withoutRights([]() -> std::string {
    TransportParts parts;
    parts.program = "tcpscope-cli";
    parts.run = succeed;
    const auto opened = openTransport(readPlace(PlaceId{0}), ChangeKind::sysctl, parts);
    return opened ? "opened" : opened.error();
  });
  if (said == "no other user to be") GTEST_SKIP() << said;
  EXPECT_THAT(said, testing::HasSubstr("tcpscope-cli is not run as root"));
}

TEST(CommandRoute, ChangesSocketsOfTheUsersOwnProcessesWithoutRights) {
  const std::string said = withoutRights([]() -> std::string {
    std::string started;
    TransportParts parts;
    parts.program = "tcpscope-cli";
    parts.run = [&started](const std::vector<std::string>& words, const std::stop_token& /*stop*/) {
      // sudo asks for a password.
      if (words.front() == "sudo") return CommandResult{1, {}, {}};
      for (const std::string& word : words) started += word + " ";
      return CommandResult{0, {}, {}};
    };
    parts.check = [](const std::string&) -> Expected<std::string, std::string> {
      return tl::unexpected(std::string("refused"));
    };
    const auto opened = openTransport(readPlace(PlaceId{0}), ChangeKind::socketOption, parts);
    if (!opened) return opened.error();
    ChangeRequest request;
    request.kind = ChangeKind::socketOption;
    request.connection = "inode:1";
    request.settings = {{"SO_SNDBUF", "65536"}};
    static_cast<void>((*opened)->apply(request, {}));
    return started;
  });
  if (said == "no other user to be") GTEST_SKIP() << said;
  EXPECT_EQ(said, "tcpscope-cli tune inode:1 --json SO_SNDBUF=65536 ");
}

}  // namespace
}  // namespace tcpscope
