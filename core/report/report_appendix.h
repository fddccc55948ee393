// The end of a report's page: what its words mean, how far to trust it, how the hosts were set, and every figure that
// was reported.
#pragma once

#include "core/report/report_page.h"

namespace tcpscope {

/// Key and value, escaped, of as many as a host has and few enough to be read; empty where they are not told.
std::vector<std::pair<std::string, std::string>> settingRows(const Place& place);
/// `places` are those whose settings are told.
void addAppendix(std::vector<ReportBlock>& blocks, const std::vector<CollectionGap>& gaps,
                 const std::vector<Place>& places, const std::vector<ReportedConnection>& connections);

}  // namespace tcpscope
