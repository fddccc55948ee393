// Each filter that is offered for a connection lets that connection through, and not one that differs in its property.
#include "core/filter/filters_of.h"

#include <gtest/gtest.h>

#include <map>

#include "core/filter/connection_filter.h"

namespace tcpscope {
namespace {

Endpoint filteredEnd(const char* address, std::uint16_t port) {
  return {*IpAddress::parse(address), port};
}

bool letsThrough(const std::string& text, const Endpoint& local, const Endpoint& remote, const Owner* owner,
                 Limit limit) {
  const auto filter = ConnectionFilter::parse(text);
  EXPECT_TRUE(filter) << text;
  FilterSubject subject(local, remote, TcpState::established, nullptr, limit);
  subject.owner = owner;
  return filter && filter->matches(subject);
}

std::map<std::string, std::string> byTitle(const std::vector<OfferedFilter>& filters) {
  std::map<std::string, std::string> texts;
  for (const OfferedFilter& one : filters) texts.emplace(one.title, one.filter);
  return texts;
}

TEST(FiltersOf, LetTheirConnectionThroughAndNoOther) {
  Owner owner;
  owner.processName = UntrustedText("tls \"edge\" worker");
  Owner other;
  other.processName = UntrustedText("tls");
  for (const auto& [local, remote] : {std::pair(filteredEnd("192.0.2.1", 5432), filteredEnd("198.51.100.7", 443)),
                                      std::pair(filteredEnd("2001:db8::1", 5432), filteredEnd("2001:db8::7", 443))}) {
    const auto filters = filtersOf(local, remote, &owner, Limit::receiver);
    EXPECT_EQ(filters.size(), 6U);
    for (const OfferedFilter& one : filters) {
      EXPECT_TRUE(letsThrough(one.filter, local, remote, &owner, Limit::receiver)) << one.filter;
      EXPECT_FALSE(
          letsThrough(one.filter, filteredEnd("192.0.2.9", 9), filteredEnd("192.0.2.10", 10), &other, Limit::network))
          << one.filter;
    }
    EXPECT_TRUE(letsThrough(ssFilter(local, remote), local, remote, nullptr, Limit::unknown));
    EXPECT_FALSE(letsThrough(ssFilter(local, remote), local, filteredEnd("192.0.2.10", 443), nullptr, Limit::unknown));
  }
}

TEST(FiltersOf, AreWrittenAsForSs) {
  const auto filters =
      byTitle(filtersOf(filteredEnd("192.0.2.1", 5432), filteredEnd("198.51.100.7", 443), nullptr, Limit::receiver));
  EXPECT_EQ(filters.at("Remote address"), "dst 198.51.100.7");
  EXPECT_EQ(filters.at("Remote port"), "dport = :443");
  EXPECT_EQ(filters.at("Limit"), "limit = receiver");
  EXPECT_EQ(ssFilter(filteredEnd("192.0.2.1", 5432), filteredEnd("2001:db8::7", 443)),
            "src 192.0.2.1:5432 and dst [2001:db8::7]:443");
}

TEST(FiltersOf, LeaveOutWhatIsNotKnownOrCannotBeWritten) {
  Owner owner;
  for (const char* name : {"", "both ' and \"", "with\x1b[31mcolour"}) {
    owner.processName = UntrustedText(name);
    const auto filters =
        byTitle(filtersOf(filteredEnd("192.0.2.1", 1), filteredEnd("192.0.2.2", 2), &owner, Limit::unknown));
    EXPECT_FALSE(filters.contains("Process")) << name;
    EXPECT_FALSE(filters.contains("Limit"));
  }
}

}  // namespace
}  // namespace tcpscope
