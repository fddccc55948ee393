#include "ui/views/advice/change_panel.h"

#include <QClipboard>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/present/text/comparison_text.h"
#include "core/present/text/remedy_text.h"
#include "ui/models/place_name.h"
#include "ui/plots/rate_plot.h"
#include "ui/text/plain_text.h"
#include "ui/widgets/steady_list.h"

namespace tcpscope {

namespace {

constexpr Milliseconds kPollEvery{100};
/// The bootstrap is thousands of draws.
constexpr Nanoseconds kProveEvery = std::chrono::seconds(1);
constexpr int kTallestRows = 90;
/// Of the plot: what was before the change.
constexpr Nanoseconds kShownBefore = std::chrono::seconds(20);

std::size_t stepOf(HostChangePhase phase) {
  switch (phase) {
    case HostChangePhase::none:
    case HostChangePhase::previewing:
      return 0;
    case HostChangePhase::previewed:
      return 1;
    case HostChangePhase::changing:
    case HostChangePhase::inForce:
    case HostChangePhase::unknown:
      return 2;
    case HostChangePhase::keeping:
    case HostChangePhase::kept:
    case HostChangePhase::undoing:
    case HostChangePhase::undone:
      return 3;
  }
  return 0;
}

SteadyRow rowOf(const HostChangeRow& row) {
  return {{toQString(row.key), row.now ? toQString(*row.now) : QStringLiteral("–"), toQString(row.wanted),
           toQString(row.text)},
          {},
          {}};
}

/// The host, and the connection that is changed, or whose advice it is: another may be selected by now.
QString subjectOf(const HostChangeRequest& request) {
  QString place = request.place.host.rawBytes().empty() ? QStringLiteral("this place") : plainText(request.place.host);
  if (request.remote.port == 0) return place;
  const bool isOfConnection = request.kind == SettingKind::socketOption;
  return QStringLiteral("%1 (%2 %3 → %4)")
      .arg(place, isOfConnection ? QStringLiteral("connection") : QStringLiteral("advised for"),
           toQString(request.local.toString()), toQString(request.remote.toString()));
}

QString lines(const std::vector<std::string>& texts) {
  QStringList list;
  for (const std::string& text : texts) list << toQString(text);
  return list.join(QLatin1Char('\n'));
}

}  // namespace

ChangePanel::ChangePanel(ChangePort& port, const ViewContext& context, QWidget* parent)
    : QWidget(parent),
      m_port(port),
      m_context(context),
      m_rows(new SteadyList({tr("Setting"), tr("Now"), tr("Wanted"), tr("Remark")}, tr("Settings to change"))),
      m_rates(new RatePlot),
      m_persist(tr("Also for the ne&xt boots")),
      m_apply(tr("&Apply")),
      m_keep(tr("&Keep it")),
      m_undo(tr("U&ndo it")),
      m_refresh(tr("Refre&sh")),
      m_copy(tr("Cop&y the command")),
      m_close(tr("Bac&k")) {
  setAccessibleName(tr("Change of the host"));
  const QString steps[] = {tr("Preview"), tr("Apply"), tr("Measure"), tr("Keep or undo")};
  for (std::size_t step = 0; step < m_steps.size(); ++step) m_steps[step].setText(steps[step]);
  m_headline.setAccessibleName(tr("State of the change"));
  m_proofText.setAccessibleName(tr("Measured effect"));
  m_notice.setAccessibleName(tr("Error"));
  m_byHand.setAccessibleName(tr("Command to run there"));
  buildLayout();
  connect(&m_apply, &QPushButton::clicked, this, [this] {
    m_port.apply(m_persist.isChecked() && m_persist.isVisibleTo(this));
    poll();
  });
  connect(&m_keep, &QPushButton::clicked, this, [this] { m_port.keep(), poll(); });
  connect(&m_undo, &QPushButton::clicked, this, [this] { m_port.undo(), poll(); });
  connect(&m_refresh, &QPushButton::clicked, this, [this] { m_port.refresh(), poll(); });
  connect(&m_copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_byHand.text()); });
  connect(&m_close, &QPushButton::clicked, this, [this] { m_port.forget(), poll(); });
  connect(&m_timer, &QTimer::timeout, this, &ChangePanel::poll);
  hide();
}

void ChangePanel::buildLayout() {
  QFont bold = font();
  bold.setBold(true);
  m_headline.setFont(bold);
  m_byHand.setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  for (QLabel* label : {&m_headline, &m_expectation, &m_notes, &m_proofText, &m_notice, &m_byHand}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  }
  auto* steps = new QHBoxLayout;
  for (std::size_t step = 0; step < m_steps.size(); ++step) {
    if (step > 0) steps->addWidget(new QLabel(QStringLiteral("→")));
    steps->addWidget(&m_steps[step]);
  }
  steps->addStretch(1);
  m_rows->header()->setStretchLastSection(true);
  for (int column = 0; column < 3; ++column) {
    m_rows->header()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
  }
  m_rows->setSelectionMode(QAbstractItemView::NoSelection);
  m_rates->setMinimumHeight(140);
  m_rates->setMaximumHeight(420);
  m_rates->setAccessibleName(QStringLiteral("Rate before and since the change"));
  connect(m_rates, &RatePlot::resized, this, &ChangePanel::showRates, Qt::QueuedConnection);
  auto* buttons = new QHBoxLayout;
  for (QWidget* button :
       std::initializer_list<QWidget*>{&m_apply, &m_persist, &m_keep, &m_undo, &m_copy, &m_refresh, &m_close}) {
    buttons->addWidget(button);
  }
  buttons->addStretch(1);
  auto* content = new QWidget;
  auto* scroll = new QScrollArea;
  scroll->setWidget(content);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  auto* layout = new QVBoxLayout(content);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addLayout(steps);
  layout->addWidget(&m_headline);
  layout->addWidget(&m_notice);
  layout->addWidget(&m_byHand);
  layout->addWidget(m_rows);
  // Of what may lie below the edge, the measured effect comes first.
  layout->addWidget(&m_proofText);
  layout->addWidget(m_rates, 3);
  layout->addWidget(&m_expectation);
  layout->addWidget(&m_notes);
  layout->addStretch(1);
  auto* page = new QVBoxLayout(this);
  page->setContentsMargins(0, 0, 0, 0);
  page->addWidget(scroll, 1);
  page->addLayout(buttons);
}

ChangeExpectation expectationOf(const Remedy& remedy) {
  QString forecast = QStringLiteral("Expected gain: %1").arg(toQString(sentence(remedy.gain)));
  forecast += QLatin1Char('\n') + toQString(reachSentence(remedy));
  if (const std::string cost = memoryText(remedy); !cost.empty()) {
    forecast += QLatin1Char('\n') + QStringLiteral("Memory: %1").arg(toQString(cost));
  }
  return {remedy.reach, forecast};
}

void ChangePanel::preview(const HostChangeRequest& request, const ChangeExpectation& expected,
                          ConnectionId connection) {
  m_kind = request.kind;
  m_connection = connection;
  m_place = subjectOf(request);
  m_reach = expected.reach;
  m_forecast = expected.forecast;
  m_proof.reset();
  m_persist.setChecked(false);
  m_port.preview(request);
  m_timer.start(kPollEvery);
  poll();
}

void ChangePanel::setSnapshot(const SnapshotPointer& snapshot) {
  m_snapshot = snapshot;
  if (!m_proof || snapshot->time - m_provedAt < kProveEvery) return;
  m_provedAt = snapshot->time;
  // After an undo nothing more is measured; the result stays visible.
  if (m_phase == HostChangePhase::inForce || m_phase == HostChangePhase::kept) {
    m_proof->observe(*snapshot);
    if (m_proof->measured()) {
      m_context.control.setFollowed({*m_proof->measured()});
      m_follows = true;
    }
  }
  showProof();
}

void ChangePanel::poll() {
  const HostChangeState state = m_port.state();
  const HostChangePhase before = std::exchange(m_phase, state.phase);
  // Between two polls it may have been applied.
  const bool wasAsked = before == HostChangePhase::changing || before == HostChangePhase::previewed;
  if (m_phase == HostChangePhase::inForce && wasAsked) beginProof();
  const bool isDone = m_phase == HostChangePhase::inForce || m_phase == HostChangePhase::undone;
  // Changes of sysctls reach the session through its own polls.
  if (isDone && before != m_phase && m_kind == SettingKind::socketOption) markOptions(state.rows);
  const bool reportsValues = m_phase != HostChangePhase::previewing && m_phase != HostChangePhase::unknown;
  if (reportsValues) m_shownRows = state.rows;
  if (m_phase == HostChangePhase::none) {
    m_timer.stop();
    m_proof.reset();
    // Another panel may follow one of its own.
    if (std::exchange(m_follows, false)) m_context.control.setFollowed({});
  }
  showState(state);
  const bool isShown = m_phase != HostChangePhase::none;
  if (isShown == isHidden()) {
    setVisible(isShown);
    emit shown(isShown);
  }
  emit polled();
}

bool ChangePanel::canBegin() const {
  return m_phase == HostChangePhase::none || m_phase == HostChangePhase::previewed ||
         m_phase == HostChangePhase::kept || m_phase == HostChangePhase::undone;
}

void ChangePanel::markOptions(const std::vector<HostChangeRow>& rows) {
  if (m_snapshot == nullptr) return;
  for (const HostChangeRow& row : rows) {
    const auto known = std::find_if(m_shownRows.begin(), m_shownRows.end(),
                                    [&](const HostChangeRow& one) { return one.key == row.key; });
    if (known == m_shownRows.end() || known->now == row.now) continue;
    m_context.control.addChangeMark({m_snapshot->time, m_connection, UntrustedText(row.key),
                                     UntrustedText(known->now.value_or(std::string())),
                                     UntrustedText(row.now.value_or(std::string()))});
  }
}

void ChangePanel::beginProof() {
  if (m_snapshot == nullptr) return;
  const auto changed = m_snapshot->details.find(m_connection);
  const ConnectionDetail* const detail = m_kind == SettingKind::socketOption && changed != m_snapshot->details.end()
                                             ? changed->second.get()
                                             : selectedDetail(m_snapshot, m_context.selection);
  if (detail == nullptr) return;
  m_proof.emplace(*detail, m_snapshot->time, m_reach);
  m_changedAt = m_snapshot->time;
  m_side = detail->diagnosis.bulk;
  m_proof->observe(*m_snapshot);
}

QString ChangePanel::headlineOf(const HostChangeState& state) const {
  switch (state.phase) {
    case HostChangePhase::none:
      return {};
    case HostChangePhase::previewing:
      return tr("Reading the settings of %1…").arg(m_place);
    case HostChangePhase::previewed:
      return state.canApply ? tr("This would change on %1. Nothing is changed yet.").arg(m_place)
                            : tr("Nothing can be changed on %1.").arg(m_place);
    case HostChangePhase::changing:
      return tr("Changing %1…").arg(m_place);
    case HostChangePhase::inForce:
      if (!state.undoneIn) return tr("Active on %1 until you undo it or the connection ends.").arg(m_place);
      return tr("Active on %1. Undone in %n s unless you keep it.", nullptr,
                static_cast<int>(std::max<std::int64_t>(state.undoneIn->count() / 1000, 0)))
          .arg(m_place);
    case HostChangePhase::unknown:
      return tr("Unknown whether the change is active on %1. Its trial ends there unless it was kept.").arg(m_place);
    case HostChangePhase::keeping:
      return tr("Keeping it…");
    case HostChangePhase::kept:
      return tr("Kept on %1. You can still undo it.").arg(m_place);
    case HostChangePhase::undoing:
      return tr("Undoing it…");
    case HostChangePhase::undone:
      return state.notice.empty() ? tr("Undone: %1 has its original values.").arg(m_place)
                                  : tr("Undone on %1.").arg(m_place);
  }
  return {};
}

void ChangePanel::showState(const HostChangeState& state) {
  showStep(state);
  m_headline.setText(headlineOf(state));
  m_expectation.setText(m_forecast);
  // What was measured replaces the forecast.
  const bool isForecast = state.phase == HostChangePhase::inForce && !isCompared();
  m_expectation.setVisible(state.phase == HostChangePhase::previewed || isForecast);
  std::vector<SteadyRow> rows;
  rows.reserve(state.rows.size());
  for (const HostChangeRow& row : state.rows) rows.push_back(rowOf(row));
  m_rows->setVisible(!rows.empty());
  const auto count = static_cast<int>(rows.size());
  m_rows->setRows(std::move(rows));
  const int wanted = m_rows->header()->sizeHint().height() + (count + 1) * m_rows->sizeHintForRow(0);
  m_rows->setFixedHeight(std::min(wanted, kTallestRows));
  m_notes.setText(lines(state.notes));
  m_notes.setVisible(!state.notes.empty());
  m_notice.setText(toQString(state.notice));
  m_notice.setVisible(!state.notice.empty());
  m_byHand.setText(toQString(state.byHand));
  m_byHand.setVisible(!state.byHand.empty());
  showProof();
  showButtons(state);
}

void ChangePanel::showStep(const HostChangeState& state) {
  const bool mayDecide = state.phase == HostChangePhase::inForce && isCompared();
  const std::size_t current = mayDecide ? m_steps.size() - 1 : stepOf(state.phase);
  for (std::size_t step = 0; step < m_steps.size(); ++step) {
    // Of its own it has these two alone: the size is that of the window, which presenter mode changes.
    QFont font;
    font.setBold(step == current);
    font.setUnderline(step == current);
    m_steps[step].setFont(font);
    m_steps[step].setEnabled(step <= current);
  }
}

void ChangePanel::showProof() {
  QStringList texts;
  if (m_proof) {
    for (const std::string& text : {sentence(*m_proof), figures(*m_proof)}) {
      if (!text.empty()) texts << toQString(text);
    }
  }
  m_proofText.setText(texts.join(QLatin1Char('\n')));
  m_proofText.setVisible(!texts.isEmpty());
  showRates();
}

bool ChangePanel::isCompared() const {
  return m_proof && m_proof->state() == ChangeProof::State::compared;
}

std::shared_ptr<const ConnectionDetail> ChangePanel::measuredDetail() const {
  if (!m_proof || !m_proof->measured() || m_snapshot == nullptr) return nullptr;
  const auto found = m_snapshot->details.find(*m_proof->measured());
  return found == m_snapshot->details.end() ? nullptr : found->second;
}

void ChangePanel::showRates() {
  const auto known = measuredDetail();
  m_rates->setVisible(known != nullptr);
  if (known == nullptr) return;
  const ConnectionDetail& detail = *known;
  const Metric metric = m_side == Side::sending ? Metric::sendGoodput : Metric::receiveGoodput;
  const TimeSpan span{std::max(m_changedAt - kShownBefore, detail.row.firstSeen), m_snapshot->time};
  m_record.update(detail.row.id, detail.history, {&metric, 1});
  m_rates->setRate(sampleTrace(m_record, metric, span, m_rates->columns(), holesOf(detail.events, span)), span,
                   m_changedAt);
  std::vector<BoundLine> means;
  if (isCompared()) {
    means = {{QStringLiteral("mean before"), m_proof->comparison().before.mean},
             {QStringLiteral("mean since"), m_proof->comparison().after.mean}};
  }
  m_rates->setBounds(std::move(means));
}

void ChangePanel::showButtons(const HostChangeState& state) {
  const HostChangePhase phase = state.phase;
  m_apply.setVisible(phase == HostChangePhase::previewed && state.canApply);
  m_persist.setVisible(phase == HostChangePhase::previewed && state.canApply && state.canPersist);
  m_keep.setVisible(phase == HostChangePhase::inForce && state.undoneIn.has_value());
  m_undo.setVisible(phase == HostChangePhase::inForce || phase == HostChangePhase::kept);
  m_copy.setVisible(!state.byHand.empty());
  const bool couldNotPoll = phase == HostChangePhase::previewed && !state.notice.empty();
  m_refresh.setVisible(phase == HostChangePhase::unknown || couldNotPoll);
  // A change on trial stays visible until it is kept or undone.
  const bool isBusy = phase == HostChangePhase::previewing || phase == HostChangePhase::changing ||
                      phase == HostChangePhase::keeping || phase == HostChangePhase::undoing;
  m_close.setVisible(!isBusy && !(phase == HostChangePhase::inForce && state.undoneIn));
}

}  // namespace tcpscope
