// The report's page on which tuning fits which load, the rows of its connections marked.
#pragma once

#include <span>

#include "core/advice/tuning_load.h"
#include "core/present/html/report_page.h"

namespace tcpscope {

/// Of each connection, nothing where its figures do not decide it.
std::vector<std::optional<TuningLoad>> loadsOf(std::span<const ReportedConnection> connections);

void addTuningGuide(std::vector<ReportBlock>& blocks, std::span<const ReportedConnection> connections);

}  // namespace tcpscope
