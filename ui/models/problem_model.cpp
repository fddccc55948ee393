#include "ui/models/problem_model.h"

#include <QGuiApplication>
#include <QPalette>
#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

#include "core/present/text/problem_text.h"
#include "ui/models/owner_text.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

namespace tcpscope {

namespace {

constexpr int kProblemColumns = static_cast<int>(ProblemColumn::count);

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

}  // namespace

ProblemModel::Key ProblemModel::keyOf(const Problem& problem) {
  return {problem.kind, problem.cause, problem.place, problem.endpoint, problem.owner.get()};
}

ProblemModel::RowsByKey ProblemModel::rowsByKey(const std::vector<Problem>& problems) {
  RowsByKey rows;
  for (std::size_t row = 0; row < problems.size(); ++row) rows.try_emplace(keyOf(problems[row]), static_cast<int>(row));
  return rows;
}

/// By severity and kind, and within these first what there was before, in its former order.
std::vector<Problem> ProblemModel::inSteadyOrder(std::vector<Problem> now, const RowsByKey& before) {
  const auto place = [&before](const Problem& problem) {
    const auto formerly = before.find(keyOf(problem));
    const int row = formerly == before.end() ? std::numeric_limits<int>::max() : formerly->second;
    return std::tuple(-static_cast<int>(problem.severity), problem.kind, row);
  };
  std::stable_sort(now.begin(), now.end(),
                   [&place](const Problem& a, const Problem& b) { return place(a) < place(b); });
  return now;
}

void ProblemModel::setSnapshot(const SnapshotPointer& snapshot) {
  if (snapshot->problems == m_shown) return;
  m_shown = snapshot->problems;
  const RowsByKey before = rowsByKey(m_problems);
  std::vector<Problem> problems = m_shown ? inSteadyOrder(*m_shown, before) : std::vector<Problem>();
  removeAllBut(problems);
  insertNew(problems, before);
  if (m_problems.size() != problems.size()) {
    // Several listeners of one program at one port (SO_REUSEPORT) have one key.
    beginResetModel();
    m_problems = std::move(problems);
    endResetModel();
    return;
  }
  m_problems = std::move(problems);
  if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, kProblemColumns - 1));
}

void ProblemModel::removeAllBut(const std::vector<Problem>& problems) {
  const RowsByKey kept = rowsByKey(problems);
  const auto isGone = [&kept](const Problem& problem) { return kept.count(keyOf(problem)) == 0; };
  for (auto last = m_problems.end(); last != m_problems.begin();) {
    const auto first = std::find_if_not(std::reverse_iterator(last), m_problems.rend(), isGone).base();
    if (first == last) {
      --last;
      continue;
    }
    const auto row = static_cast<int>(first - m_problems.begin());
    beginRemoveRows({}, row, row + static_cast<int>(last - first) - 1);
    last = m_problems.erase(first, last);
    endRemoveRows();
  }
}

void ProblemModel::insertNew(const std::vector<Problem>& problems, const RowsByKey& before) {
  const auto isNew = [&before](const Problem& problem) { return before.count(keyOf(problem)) == 0; };
  for (auto first = problems.begin(); first != problems.end();) {
    first = std::find_if(first, problems.end(), isNew);
    const auto last = std::find_if_not(first, problems.end(), isNew);
    if (first == last) return;
    const auto row = first - problems.begin();
    beginInsertRows({}, static_cast<int>(row), static_cast<int>(last - problems.begin()) - 1);
    m_problems.insert(m_problems.begin() + row, first, last);
    endInsertRows();
    first = last;
  }
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
