#include "ui/models/problem_model.h"

#include <QGuiApplication>
#include <QPalette>
#include <algorithm>
#include <tuple>
#include <utility>

#include "core/present/text/problem_text.h"
#include "ui/models/owner_text.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

namespace tcpscope {

namespace {

constexpr int kProblemColumns = static_cast<int>(ProblemColumn::count);

bool isSame(const Problem& a, const Problem& b) {
  return std::tie(a.kind, a.cause, a.place, a.endpoint, a.owner) ==
         std::tie(b.kind, b.cause, b.place, b.endpoint, b.owner);
}

QString textOf(const Problem& problem, ProblemColumn column) {
  switch (column) {
    case ProblemColumn::severity:
      return toQString(name(problem.severity));
    case ProblemColumn::subject:
      return toQString(subject(problem));
    case ProblemColumn::process:
      return processText(problem.owner.get());
    case ProblemColumn::problem:
      return toQString(phrase(problem));
    case ProblemColumn::nextStep:
      return toQString(nextStep(problem));
    case ProblemColumn::count:
      break;
  }
  return {};
}

QString headerText(ProblemColumn column) {
  switch (column) {
    case ProblemColumn::severity:
      return QStringLiteral("Severity");
    case ProblemColumn::subject:
      return QStringLiteral("About");
    case ProblemColumn::process:
      return QStringLiteral("Process");
    case ProblemColumn::problem:
      return QStringLiteral("Problem");
    case ProblemColumn::nextStep:
      return QStringLiteral("Next step");
    case ProblemColumn::count:
      break;
  }
  return {};
}

bool contains(const std::vector<Problem>& problems, const Problem& wanted) {
  return std::any_of(problems.begin(), problems.end(), [&](const Problem& one) { return isSame(one, wanted); });
}

/// `now` by severity and kind, and within these first what there was before, in its former order.
std::vector<Problem> inSteadyOrder(std::vector<Problem> now, const std::vector<Problem>& before) {
  const auto formerRow = [&](const Problem& problem) {
    const auto found =
        std::find_if(before.begin(), before.end(), [&](const Problem& one) { return isSame(one, problem); });
    return found - before.begin();
  };
  const auto group = [](const Problem& problem) {
    return std::tuple(-static_cast<int>(problem.severity), problem.kind);
  };
  std::stable_sort(now.begin(), now.end(), [&](const Problem& a, const Problem& b) {
    return std::pair(group(a), formerRow(a)) < std::pair(group(b), formerRow(b));
  });
  return now;
}

}  // namespace

void ProblemModel::setSnapshot(const SnapshotPointer& snapshot) {
  setProblems(snapshot->problems ? inSteadyOrder(*snapshot->problems, m_problems) : std::vector<Problem>());
}

void ProblemModel::setProblems(std::vector<Problem> problems) {
  for (int row = rowCount() - 1; row >= 0; --row) {
    if (contains(problems, m_problems[static_cast<std::size_t>(row)])) continue;
    beginRemoveRows({}, row, row);
    m_problems.erase(m_problems.begin() + row);
    endRemoveRows();
  }
  for (std::size_t row = 0; row < problems.size(); ++row) {
    if (row < m_problems.size() && isSame(m_problems[row], problems[row])) continue;
    beginInsertRows({}, static_cast<int>(row), static_cast<int>(row));
    m_problems.insert(m_problems.begin() + static_cast<std::ptrdiff_t>(row), problems[row]);
    endInsertRows();
  }
  m_problems = std::move(problems);
  if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, kProblemColumns - 1));
}

const Problem* ProblemModel::problemAt(int row) const {
  return row >= 0 && row < rowCount() ? &m_problems[static_cast<std::size_t>(row)] : nullptr;
}

int ProblemModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_problems.size());
}

int ProblemModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kProblemColumns;
}

QVariant ProblemModel::data(const QModelIndex& index, int role) const {
  const Problem* problem = index.isValid() ? problemAt(index.row()) : nullptr;
  if (problem == nullptr) return {};
  const QString text = textOf(*problem, static_cast<ProblemColumn>(index.column()));
  switch (role) {
    case Qt::DisplayRole:
      return text;
    case Qt::ToolTipRole:
      return toolTipText(text);
    case Qt::ForegroundRole:
      if (static_cast<ProblemColumn>(index.column()) != ProblemColumn::severity) return {};
      return severityColor(problem->severity, appearanceOf(QGuiApplication::palette()));
    default:
      return {};
  }
}

QVariant ProblemModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  return headerText(static_cast<ProblemColumn>(section));
}

QString problemAlert(const std::vector<Problem>& problems) {
  QStringList lines;
  for (const Problem& problem : problems) {
    if (problem.severity != FindingSeverity::problem) continue;
    lines << QStringLiteral("%1: %2").arg(toQString(subject(problem)), toQString(phrase(problem)));
  }
  return lines.join(QStringLiteral("; "));
}

}  // namespace tcpscope
