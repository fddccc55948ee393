// connection_holder SOCKETS: holds so many loopback sockets for trying things by hand. Each line "PERCENT" on standard
// input passes a byte over that share of the connections; the end of the input ends it.
#include <charconv>
#include <cstdio>
#include <iostream>
#include <string>

#include "tests/bench/held_connections.h"

int main(int argc, char** argv) {
  const std::string count = argc == 2 ? argv[1] : "";
  std::size_t sockets = 0;
  if (std::from_chars(count.data(), count.data() + count.size(), sockets).ec != std::errc() || sockets > 400'000) {
    std::fputs("usage: connection_holder SOCKETS (at most 400000)\n", stderr);
    return 2;
  }
  tcpscope::bench::HeldConnections held(sockets);
  std::cout << "ready" << std::endl;
  for (unsigned percent = 0; std::cin >> percent;) {
    held.change(percent > 100 ? 100 : percent);
    std::cout << "changed" << std::endl;
  }
  return 0;
}
