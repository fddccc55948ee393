#include "app/changes/bus/settings_message.h"

#include <cerrno>
#include <string_view>

namespace tcpscope {

int readSettings(sd_bus_message* message, std::vector<WantedSetting>& settings, std::size_t& bytesLeft) {
  if (const int entered = sd_bus_message_enter_container(message, 'a', "{ss}"); entered < 0) return entered;
  while (true) {
    const char* key = nullptr;
    const char* value = nullptr;
    const int found = sd_bus_message_read(message, "{ss}", &key, &value);
    if (found < 0) return found;
    if (found == 0) return sd_bus_message_exit_container(message);
    const std::size_t bytes = std::string_view(key).size() + std::string_view(value).size();
    if (settings.size() == kMostSettings || bytes > bytesLeft) return -E2BIG;
    bytesLeft -= bytes;
    settings.push_back({key, value});
  }
}

int appendSettings(sd_bus_message* message, const std::vector<WantedSetting>& settings) {
  if (const int opened = sd_bus_message_open_container(message, 'a', "{ss}"); opened < 0) return opened;
  for (const WantedSetting& one : settings) {
    const int added = sd_bus_message_append(message, "{ss}", one.key.c_str(), one.value.c_str());
    if (added < 0) return added;
  }
  return sd_bus_message_close_container(message);
}

}  // namespace tcpscope
