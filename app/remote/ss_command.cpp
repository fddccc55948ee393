#include "app/remote/ss_command.h"

namespace tcpscope {

std::string_view ssCommand() {
  // In one line and without single quotes, exclamation marks and backslashes, so that fish and csh hand it on as it is.
  // Old ones do not know -O, a socket in one line; -n keeps names and rates as numbers where ss can.
  return "sh -c '"
         "PATH=\"$PATH:/usr/sbin:/sbin\"; LC_ALL=C; export PATH LC_ALL; "
         "command -v ss >/dev/null 2>&1 || exit 127; "
         "how=-tinmea; ss -OV >/dev/null 2>&1 && how=-tinmeaO; "
         "echo \"tcpscope-ss 1\"; "
         "echo \"host $(uname -n)\"; "
         "echo \"kernel $(uname -r)\"; "
         "echo \"boot $(cat /proc/sys/kernel/random/boot_id)\"; "
         "echo \"netns $(readlink /proc/self/ns/net)\"; "
         "echo \"ss $(ss -V)\"; "
         "read -r up rest </proc/uptime || exit 1; "
         "echo \"clock $up $(date +%s)\"; "
         "while read -r line; do "
         "read -r up rest </proc/uptime; echo \"look $up\"; "
         "ss $how 2>/dev/null; code=$?; "
         "read -r up rest </proc/uptime; echo \"end $code $up\"; "
         "done'";
}

}  // namespace tcpscope
