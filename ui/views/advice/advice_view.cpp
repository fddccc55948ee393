#include "ui/views/advice/advice_view.h"

#include <QClipboard>
#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "core/model/metric_words.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/quantity_text.h"
#include "core/present/text/remedy_text.h"
#include "core/present/text/target_text.h"
#include "core/session/connection_advice.h"
#include "core/session/four_tuple.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/views/advice/change_panel.h"
#include "ui/widgets/steady_list.h"

namespace tcpscope {

namespace {

/// Nothing for an empty field, and for what cannot be read: the field shows that.
std::optional<double> readValue(QLineEdit& edit, Metric metric, const QPalette& usual) {
  const std::string word = edit.text().trimmed().toStdString();
  const auto value = wantedValue(metric, word);
  EntryState state = value ? EntryState::good : EntryState::wrong;
  if (word.empty()) state = EntryState::neutral;
  QPalette colors = usual;
  colors.setColor(QPalette::Base, entryBackground(state, appearanceOf(usual)));
  edit.setPalette(colors);
  return value;
}

SteadyRow rowOf(const Remedy& remedy) {
  return {{toQString(title(remedy)), toQString(sentence(remedy.gain)), toQString(formatRatio(remedy.confidenceRatio))},
          {},
          {}};
}

/// What the copy button copies: the command lines to run here, or the letter to the peer's administrator.
QString linesToCopy(const Remedy& remedy) {
  if (const std::string text = letter(remedy); !text.empty()) return toQString(text);
  QStringList lines;
  for (const SettingChange& change : remedy.changes) lines << toQString(commandLine(change));
  return lines.join(QLatin1Char('\n'));
}

void setSteadyText(QPlainTextEdit& edit, const QString& text) {
  if (edit.toPlainText() == text || edit.textCursor().hasSelection()) return;
  const int scrolledTo = edit.verticalScrollBar()->value();
  edit.setPlainText(text);
  edit.verticalScrollBar()->setValue(scrolledTo);
}

}  // namespace

QString remedyText(const Remedy& remedy) {
  QString text;
  for (const RemedyLine& line : linesOf(remedy)) {
    QString label = toQString(line.label);
    if (!label.isEmpty()) label[0] = label[0].toUpper();
    if (!text.isEmpty()) text += label.isEmpty() ? QStringLiteral("\n") : QStringLiteral("\n\n");
    if (!label.isEmpty()) text += label + QStringLiteral(": ");
    text += toQString(line.text);
  }
  return text;
}

AdviceView::AdviceView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_aim(new QComboBox),
      m_targetRate(new QLineEdit),
      m_targetRtt(new QLineEdit),
      m_goalHint(new QLabel),
      m_headline(new QLabel),
      m_remark(new QLabel),
      m_advice(new QSplitter(Qt::Vertical)),
      m_list(new SteadyList({tr("Advice"), tr("Expected gain"), tr("Confidence")}, tr("Remedies"))),
      m_description(new QPlainTextEdit),
      m_copy(new QPushButton(tr("Cop&y the lines"))),
      m_preview(new QPushButton(tr("&Preview the change…"))) {
  QFont large = m_headline->font();
  large.setPointSizeF(large.pointSizeF() * 1.5);
  large.setBold(true);
  m_headline->setFont(large);
  for (QLabel* label : {m_headline, m_remark}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  }
  m_headline->setAccessibleName(tr("Verdict"));
  m_remark->setAccessibleName(tr("Remark"));
  buildAdvice();
  auto* layout = new QVBoxLayout(this);
  layout->addLayout(buildGoal());
  layout->addWidget(m_headline);
  layout->addWidget(m_remark);
  layout->addWidget(m_advice, 1);
  // What is said stays at the top where there is no list below it.
  layout->addStretch(0);
  if (context.ports.changes != nullptr) addChangePanel(*context.ports.changes);
  readGoal();
}

QLayout* AdviceView::buildGoal() {
  auto* row = new QHBoxLayout;
  const auto addField = [&](const QString& name, QWidget* field) {
    auto* label = new QLabel(name);
    label->setBuddy(field);
    row->addWidget(label);
    row->addWidget(field);
  };
  m_aim->addItem(tr("more throughput"), static_cast<int>(AdviceAim::throughput));
  m_aim->addItem(tr("less latency"), static_cast<int>(AdviceAim::latency));
  connect(m_aim, &QComboBox::activated, this, &AdviceView::readGoal);
  addField(tr("&Goal"), m_aim);
  m_targetRate->setPlaceholderText(tr("such as 100Mbit"));
  m_targetRtt->setPlaceholderText(tr("as measured"));
  for (QLineEdit* edit : {m_targetRate, m_targetRtt}) {
    // As wide as its letters, which presenter mode makes larger.
    edit->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    edit->setMaxLength(40);
    edit->setClearButtonEnabled(true);
    connect(edit, &QLineEdit::textChanged, this, &AdviceView::readGoal);
  }
  addField(tr("&Target rate"), m_targetRate);
  addField(tr("at an RTT of"), m_targetRtt);
  m_goalHint->setTextFormat(Qt::PlainText);
  m_goalHint->setWordWrap(true);
  row->addWidget(m_goalHint, 1);
  return row;
}

void AdviceView::buildAdvice() {
  m_list->setObjectName(QStringLiteral("remedies"));
  m_list->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  m_list->header()->setSectionResizeMode(1, QHeaderView::Stretch);
  m_list->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
  m_list->header()->setStretchLastSection(false);
  m_list->alignRight(2);
  connect(m_list, &QTreeWidget::currentItemChanged, this, [this] {
    // Text that the user selected belongs to the previous remedy.
    m_description->moveCursor(QTextCursor::Start);
    showChosen();
  });
  m_description->setReadOnly(true);
  m_description->setAccessibleName(tr("The chosen advice in full"));
  connect(m_copy, &QPushButton::clicked, this, [this] {
    if (const Remedy* remedy = chosen()) QGuiApplication::clipboard()->setText(linesToCopy(*remedy));
  });
  m_preview->setEnabled(false);
  connect(m_preview, &QPushButton::clicked, this, &AdviceView::previewChosen);
  auto* whole = new QWidget;
  auto* layout = new QVBoxLayout(whole);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_description, 1);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(m_preview);
  buttons->addWidget(m_copy);
  buttons->addStretch(1);
  layout->addLayout(buttons);
  m_advice->addWidget(m_list);
  m_advice->addWidget(whole);
  m_advice->setSizes({90, 410});
  m_advice->setStretchFactor(0, 0);
  m_advice->setStretchFactor(1, 1);
  m_advice->setChildrenCollapsible(false);
}

void AdviceView::readGoal() {
  m_goal = {};
  m_goal.aim = static_cast<AdviceAim>(m_aim->currentData().toInt());
  QStringList wrong;
  const auto valueOf = [&](QLineEdit* edit, Metric metric) {
    const auto value = readValue(*edit, metric, palette());
    const bool isWrong = !value && !edit->text().trimmed().isEmpty();
    if (isWrong) wrong << toQString(valueExample(metricRow(metric).unit));
    return value;
  };
  if (const auto rate = valueOf(m_targetRate, Metric::pacingRate)) m_goal.targetRate = BitsPerSecond(*rate);
  if (const auto trip = valueOf(m_targetRtt, Metric::rtt)) {
    m_goal.targetRtt = Microseconds(static_cast<std::int64_t>(*trip));
  }
  m_goalHint->setText(wrong.isEmpty() ? QString() : tr("Takes %1").arg(wrong.join(tr("; and "))));
  refresh();
}

void AdviceView::changeEvent(QEvent* event) {
  View::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) readGoal();
}

QString AdviceView::goalHint() const {
  return m_goalHint->text();
}

void AdviceView::addChangePanel(ChangePort& port) {
  m_change = new ChangePanel(port, context());
  auto* page = static_cast<QVBoxLayout*>(layout());
  page->insertWidget(page->indexOf(m_advice), m_change, 1);
  connect(m_change, &ChangePanel::shown, this, &AdviceView::showPage);
  showChosen();
}

/// One thing at a time: the advice, or the change that follows from it.
void AdviceView::showPage() {
  m_advice->setVisible(!isChanging() && !m_remedies.empty());
}

bool AdviceView::isChanging() const {
  return m_change != nullptr && !m_change->isHidden();
}

void AdviceView::previewChosen() {
  const Remedy* remedy = chosen();
  const ConnectionDetail* detail = m_snapshot ? selectedDetail(m_snapshot, context().selection) : nullptr;
  const auto kind = remedy == nullptr ? std::nullopt : undoableKind(*remedy);
  if (!kind || detail == nullptr) return;
  const auto place = std::find_if(m_snapshot->places.begin(), m_snapshot->places.end(),
                                  [&](const Place& one) { return one.id == detail->row.id.place; });
  if (place == m_snapshot->places.end()) return;
  m_change->preview({*place, *kind, remedy->changes, detail->row.local, detail->row.remote}, expectationOf(*remedy),
                    detail->row.id);
}

void AdviceView::beginFix() {
  if (isChanging()) return;
  auto fix = firstFix();
  if (const auto peer = fix ? std::nullopt : peerWithFix()) {
    context().selection.setConnection(*peer);
    refresh();
    fix = firstFix();
  }
  m_lacksFix = m_change == nullptr || !fix;
  if (m_lacksFix) return refresh();
  m_list->setCurrentItem(m_list->topLevelItem(static_cast<int>(*fix)));
  previewChosen();
}

std::optional<ConnectionId> AdviceView::peerWithFix() const {
  const ConnectionDetail* const own = m_snapshot ? selectedDetail(m_snapshot, context().selection) : nullptr;
  if (own == nullptr || m_change == nullptr) return std::nullopt;
  for (const auto& [id, detail] : m_snapshot->details) {
    if (!FourTuple::of(detail->socket).isPeerOf(FourTuple::of(own->socket))) continue;
    if (!isLivePlace(*m_snapshot, id.place)) continue;
    const ConnectionAdvice advice = adviceFor(*detail, m_snapshot->settings(id.place), m_goal);
    const auto& bulk = detail->diagnosis.bulk == Side::sending ? advice.sending : advice.receiving;
    const auto isUndoable = [](const Remedy& remedy) { return undoableKind(remedy).has_value(); };
    if (bulk && std::any_of(bulk->remedies.begin(), bulk->remedies.end(), isUndoable)) return id;
  }
  return std::nullopt;
}

std::optional<std::size_t> AdviceView::firstFix() const {
  for (std::size_t index = 0; index < m_bulkRemedies; ++index) {
    if (undoableKind(m_remedies[index])) return index;
  }
  return std::nullopt;
}

void AdviceView::setSnapshot(const SnapshotPointer& snapshot) {
  m_snapshot = snapshot;
  if (m_change != nullptr) m_change->setSnapshot(snapshot);
  refresh();
}

void AdviceView::setSelection(const Selection& /*selection*/) {
  m_lacksFix = false;
  refresh();
}

QString AdviceView::headline() const {
  return m_headline->text();
}

QString AdviceView::remark() const {
  return m_remark->text();
}

QString AdviceView::description() const {
  return m_description->toPlainText();
}

void AdviceView::refresh() {
  const ConnectionDetail* detail = m_snapshot ? selectedDetail(m_snapshot, context().selection) : nullptr;
  if (detail == nullptr) {
    showNothing(m_snapshot ? whyNoDetail(m_snapshot, context().selection) : tr("Waiting for the first samples"));
    return;
  }
  showAdvice(*detail, adviceFor(*detail, m_snapshot->settings(detail->row.id.place), m_goal));
}

void AdviceView::showNothing(const QString& why) {
  m_headline->setText(why);
  m_remedies.clear();
  m_bulkRemedies = 0;
  m_list->setRows({});
  showRemark({});
  showChosen();
}

void AdviceView::showAdvice(const ConnectionDetail& detail, const ConnectionAdvice& advice) {
  const bool sends = detail.diagnosis.bulk == Side::sending;
  const auto& diagnosis = sends ? detail.diagnosis.sending : detail.diagnosis.receiving;
  const auto& bulk = sends ? advice.sending : advice.receiving;
  m_headline->setText(diagnosis ? toQString(sentence(diagnosis->verdict, detail.diagnosis.bulk))
                                : tr("No data was seen in either direction."));
  m_remedies.clear();
  std::vector<SteadyRow> rows;
  for (const auto& side : {bulk, sends ? advice.receiving : advice.sending}) {
    for (const Remedy& remedy : side ? side->remedies : std::vector<Remedy>()) {
      m_remedies.push_back(remedy);
      rows.push_back(rowOf(remedy));
    }
  }
  m_bulkRemedies = bulk ? bulk->remedies.size() : 0;
  QStringList remarks;
  // Without a remedy the advice says why, which may be that the verdict is not sure yet.
  if (m_lacksFix && m_bulkRemedies > 0 && !firstFix()) {
    remarks << QStringLiteral("No setting of this host removes the limit: the advice says who can.");
  }
  if (m_remedies.empty() && bulk) remarks << toQString(sentence(bulk->whyNot));
  if (bulk && bulk->target) {
    remarks << toQString(sentence(*bulk->target));
    const TransferMetrics metrics = sends ? transferMetrics(detail.socket, detail.window) : TransferMetrics();
    const std::string figures = metricsText(metrics, bulk->transferTimeRatio);
    if (!figures.empty()) remarks << tr("RFC 6349: %1").arg(toQString(figures));
  }
  if (bulk && bulk->lossBudget) remarks << toQString(sentence(*bulk->lossBudget));
  showRemark(remarks.join(QLatin1Char('\n')));
  m_list->setRows(std::move(rows));
  if (!m_remedies.empty() && m_list->currentItem() == nullptr) m_list->setCurrentItem(m_list->topLevelItem(0));
  showChosen();
}

void AdviceView::showRemark(const QString& text) {
  m_remark->setText(text);
  m_remark->setVisible(!text.isEmpty());
  showPage();
}

const Remedy* AdviceView::chosen() const {
  const int row = m_list->indexOfTopLevelItem(m_list->currentItem());
  return row >= 0 && row < static_cast<int>(m_remedies.size()) ? &m_remedies[static_cast<std::size_t>(row)] : nullptr;
}

void AdviceView::showChosen() {
  const Remedy* remedy = chosen();
  m_copy->setEnabled(remedy != nullptr);
  m_preview->setVisible(m_change != nullptr);
  const bool isLive = m_snapshot && context().selection.connection() &&
                      isLivePlace(*m_snapshot, context().selection.connection()->place);
  m_preview->setEnabled(remedy != nullptr && isLive && undoableKind(*remedy).has_value());
  if (remedy != nullptr) {
    setSteadyText(*m_description, remedyText(*remedy));
  } else {
    m_description->clear();
  }
}

}  // namespace tcpscope
