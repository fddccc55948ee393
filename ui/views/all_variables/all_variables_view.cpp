#include "ui/views/all_variables/all_variables_view.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QSplitter>
#include <QToolButton>

#include "ui/text/plain_text.h"
#include "ui/widgets/row_table.h"

namespace tcpscope {

AllVariablesView::AllVariablesView(const ViewContext& context, QWidget* parent) : View(context, parent) {
  buildTable();
  buildActions();
  m_filter.setPlaceholderText(QStringLiteral("Search in titles, keys and explanations"));
  m_filter.setClearButtonEnabled(true);
  m_filter.setAccessibleName(QStringLiteral("Search the variables"));
  connect(&m_filter, &QLineEdit::textChanged, &m_filtered, &QSortFilterProxyModel::setFilterFixedString);

  auto* bar = new QHBoxLayout;
  bar->addWidget(&m_filter, 1);
  for (QAction* action : {&m_openTrace, &m_openMeter}) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    bar->addWidget(button);
  }
  m_explanation.setTextFormat(Qt::PlainText);
  m_explanation.setWordWrap(true);
  m_explanation.setAlignment(Qt::AlignTop | Qt::AlignLeft);
  m_explanation.setMargin(8);
  m_explanation.setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_explanation.setAccessibleName(QStringLiteral("Explanation of the variable"));
  auto* explanation = new QScrollArea;
  explanation->setWidgetResizable(true);
  explanation->setWidget(&m_explanation);
  auto* splitter = new QSplitter;
  splitter->addWidget(&m_table);
  splitter->addWidget(explanation);
  splitter->setStretchFactor(0, 3);
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({900, 320});
  m_status.setTextFormat(Qt::PlainText);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 6, 6, 6);
  layout->setSpacing(4);
  layout->addLayout(bar);
  layout->addWidget(&m_status);
  layout->addWidget(splitter, 1);
  setSelection(context.selection);
  m_table.setCurrentIndex(m_filtered.index(static_cast<int>(Metric::rtt), 0));
  m_table.scrollToTop();
  explain();
}

void AllVariablesView::buildTable() {
  m_filtered.setSourceModel(&m_model);
  m_filtered.setFilterRole(VariablesModel::kSearchRole);
  m_filtered.setFilterCaseSensitivity(Qt::CaseInsensitive);
  m_table.setModel(&m_filtered);
  setUpRowTable(m_table, QStringLiteral("All variables"));
  m_table.setWordWrap(false);
  m_table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  m_table.verticalHeader()->setDefaultSectionSize(m_table.fontMetrics().height() + 6);
  const int letter = m_table.fontMetrics().averageCharWidth();
  const std::array<int, 5> characters = {50, 18, 16, 14, 28};
  for (int column = 0; column < m_model.columnCount(); ++column)
    m_table.setColumnWidth(column, letter * characters[static_cast<std::size_t>(column)] + 14);
  connect(m_table.selectionModel(), &QItemSelectionModel::currentRowChanged, this, &AllVariablesView::explain);
  connect(&m_table, &QTableView::activated, &m_openTrace, &QAction::trigger);
}

void AllVariablesView::buildActions() {
  m_openTrace.setText(QStringLiteral("Open as &trace in the scope"));
  m_openTrace.setIconText(QStringLiteral("Trace"));
  m_openTrace.setShortcut(Qt::CTRL | Qt::Key_T);
  connect(&m_openTrace, &QAction::triggered, this, [this] {
    if (const auto metric = currentMetric()) emit traceRequested(*metric);
  });
  m_openMeter.setText(QStringLiteral("Open as numeric &meter"));
  m_openMeter.setIconText(QStringLiteral("Meter"));
  m_openMeter.setShortcut(Qt::CTRL | Qt::Key_M);
  connect(&m_openMeter, &QAction::triggered, this, [this] {
    if (const auto metric = currentMetric()) emit meterRequested(*metric);
  });
  auto* search = new QAction(QStringLiteral("&Search the variables"), this);
  search->setShortcut(Qt::CTRL | Qt::Key_E);
  connect(search, &QAction::triggered, this, [this] {
    m_filter.setFocus(Qt::ShortcutFocusReason);
    m_filter.selectAll();
  });
  addActions({&m_openTrace, &m_openMeter, search});
  m_table.setContextMenuPolicy(Qt::ActionsContextMenu);
  m_table.addActions({&m_openTrace, &m_openMeter});
}

std::optional<Metric> AllVariablesView::currentMetric() const {
  const QModelIndex current = m_filtered.mapToSource(m_table.currentIndex());
  if (!current.isValid()) return std::nullopt;
  return static_cast<Metric>(current.row());
}

void AllVariablesView::explain() {
  const std::optional<Metric> metric = currentMetric();
  m_openTrace.setEnabled(metric.has_value());
  m_openMeter.setEnabled(metric.has_value());
  if (!metric) {
    m_explanation.setText(QStringLiteral("Select a variable to see what it counts and what to compare it with."));
    return;
  }
  const MetricRow& row = metricRow(*metric);
  m_explanation.setText(
      QStringLiteral("%1  (%2)\n\n%3\n\nHow to read it\n%4")
          .arg(toQString(row.title), toQString(row.key), toQString(row.explanation), toQString(row.reading)));
}

void AllVariablesView::setSelection(const Selection& selection) {
  m_model.setDetail(nullptr);
  m_status.setText(whyNoDetail(nullptr, selection));
  m_status.show();
}

void AllVariablesView::setSnapshot(const SnapshotPointer& snapshot) {
  const ConnectionDetail* detail = selectedDetail(snapshot, context().selection);
  m_model.setDetail(detail);
  m_status.setText(whyNoDetail(snapshot, context().selection));
  m_status.setVisible(detail == nullptr);
}

void AllVariablesView::saveSettings(QSettings& settings) const {
  settings.setValue("variables/header", m_table.horizontalHeader()->saveState());
}

void AllVariablesView::restoreSettings(QSettings& settings) {
  m_table.horizontalHeader()->restoreState(settings.value("variables/header").toByteArray());
}

}  // namespace tcpscope
