// Where the lines of `advise` are to be run: at the host that was looked at. What limits a transfer over loopback
// depends on what else the machine does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/built_paths.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using testing::HasSubstr;
using testing::Not;

/// `advise` of a program whose send buffer may not grow, in a network namespace of its own. A host behind ssh is that
/// namespace, too.
test::Outcome advise(const std::string& options) {
  const std::string script =
      "WAY=$(mktemp -d); trap 'rm -r $WAY' EXIT; printf '#!/bin/sh\\nexec " + test::commandLineProgram() +
      " agent\\n' >$WAY/ssh; chmod +x $WAY/ssh; PATH=$WAY:$PATH; ip link set lo up || exit 77; "
      "sysctl -qw net.ipv4.tcp_wmem='4096 4608 4608' || exit 77; python3 -c '\n"
      "import socket, threading, time\n"
      "listener = socket.create_server((\"127.0.0.1\", 5001))\n"
      "def drain():\n"
      "    peer = listener.accept()[0]\n"
      "    while peer.recv(1 << 20): pass\n"
      "threading.Thread(target=drain, daemon=True).start()\n"
      "out = socket.create_connection((\"127.0.0.1\", 5001))\n"
      "until = time.monotonic() + 60\n"
      "while time.monotonic() < until: out.sendall(bytes(65536))' & SENDER=$!; "
      "while ! ss -Htn state established | grep -q :5001; do kill -0 $SENDER || exit 77; sleep 0.1; done; " +
      test::commandLineProgram() + " advise --for 2 " + options + "; code=$?; kill $SENDER; exit $code";
  return test::runProgram("/usr/bin/unshare", {"--map-root-user", "--net", "sh", "-c", script});
}

TEST(AdviseCommand, SaysAtWhichHostALineIsToBeRun) {
  const test::Outcome there = advise("--from ssh://me@db1:2222");
  const bool hasNoNamespace = there.code == 77 || there.error.find("unshare:") != std::string::npos;
  if (hasNoNamespace) GTEST_SKIP() << "no network namespace of one's own here: " << there.error;
  EXPECT_THAT(there.out, HasSubstr("on me@db1:2222: sudo tcpscope-cli apply net.ipv4.tcp_wmem=")) << there.error;
  const test::Outcome here = advise("");
  EXPECT_THAT(here.out, HasSubstr("apply       sudo tcpscope-cli apply net.ipv4.tcp_wmem=")) << here.error;
  EXPECT_THAT(here.out, Not(HasSubstr("on me@db1")));
}

}  // namespace
}  // namespace tcpscope
