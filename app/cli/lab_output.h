// What the lab's commands print for people.
#pragma once

#include "app/cli/text_output.h"
#include "app/lab/scenario/scenario.h"
#include "core/present/json/lab_document.h"

namespace tcpscope {

void appendScenarios(TextBuffer& out, const std::vector<lab::LabListEntry>& entries);
void appendRun(TextBuffer& out, const lab::Scenario& scenario, const lab::LabRunDocument& document);
/// Settings, runs and figures, a line a cell.
void appendCells(TextBuffer& out, const std::vector<lab::LabCell>& cells);
/// A line on standard error where that is a terminal and there are several runs.
void showProgress(std::size_t run, std::size_t runs, const lab::LabCell& cell);

}  // namespace tcpscope
