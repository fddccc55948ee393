// The controls of the packet graphs: actions, toolbar, table, and what the mouse does on the plot.
#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QHeaderView>
#include <QIntValidator>
#include <QLabel>
#include <QLineEdit>
#include <QSplitter>
#include <QTableView>
#include <QToolBar>

#include "ui/text/plain_text.h"
#include "ui/views/packet_graphs/packet_graphs_view.h"
#include "ui/views/saved_file.h"
#include "ui/widgets/plot_pane.h"
#include "ui/widgets/steady_list.h"

namespace tcpscope {

PacketGraphsView::PacketGraphsView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_plot(new PacketPlot),
      m_model(new PacketTableModel(this)),
      m_table(new QTableView),
      m_listModel(new PacketListModel(this)),
      m_list(new QTableView),
      m_readoutTitle(new QLabel),
      m_readout(new SteadyList({QStringLiteral("Field"), QStringLiteral("Value")}, QStringLiteral("Selected packet"))),
      m_readoutPane(new QWidget),
      m_graphs(new QComboBox),
      m_directions(new QComboBox),
      m_packetNumber(new QLineEdit),
      m_sentence(new QLabel),
      m_cursorText(new QLabel) {
  auto* bar = new QToolBar;
  bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
  buildActions(*bar);
  buildTable();
  m_sentence->setTextFormat(Qt::PlainText);
  m_sentence->setWordWrap(true);
  m_sentence->setMargin(4);
  m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_sentence->setAccessibleName(QStringLiteral("Graph summary"));
  buildPacketList();
  buildReadout();
  auto* tables = new QSplitter(Qt::Horizontal);
  tables->addWidget(m_table);
  tables->addWidget(m_list);
  tables->setSizes({5, 4});
  layOutPlotPane(*this, *bar, *layOutPlot(), *tables, 5, *m_sentence);
  setFocusPolicy(Qt::StrongFocus);
  connectPlot();
  refresh();
}

void PacketGraphsView::buildActions(QToolBar& bar) {
  for (std::size_t number = 0; number < kPacketGraphCount; ++number) {
    const PacketGraphRow& row = packetGraphRow(static_cast<PacketGraph>(number));
    m_graphs->addItem(QString::fromUtf8(row.title));
    m_graphs->setItemData(static_cast<int>(number), toolTipText(QString::fromUtf8(row.explanation)), Qt::ToolTipRole);
  }
  m_graphs->setAccessibleName(QStringLiteral("Graph"));
  m_graphs->setToolTip(QStringLiteral("Graph (N: next)"));
  connect(m_graphs, &QComboBox::activated, this, [this](int index) { showGraph(static_cast<PacketGraph>(index)); });
  m_directions->setAccessibleName(QStringLiteral("Data direction"));
  m_directions->setToolTip(QStringLiteral("Direction of the data (D: the other one)"));
  m_directions->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  connect(m_directions, &QComboBox::activated, this,
          [this](int index) { showDirection(static_cast<std::size_t>(index)); });
  addViewAction(*this, QStringLiteral("Next graph"), {Qt::Key_N}, [this] {
    showGraph(static_cast<PacketGraph>((static_cast<std::size_t>(m_graph) + 1) % kPacketGraphCount));
  });
  addViewAction(*this, QStringLiteral("Other direction"), {Qt::Key_D}, [this] { showDirection(1 - m_direction); });
  auto* wider =
      addViewAction(*this, QStringLiteral("Show more time"), {Qt::Key_Minus}, [this] { zoomTime(-1, std::nullopt); });
  auto* narrower =
      addViewAction(*this, QStringLiteral("Show less time"), {Qt::Key_Plus}, [this] { zoomTime(1, std::nullopt); });
  auto* whole = addViewAction(*this, QStringLiteral("Whole connection"), {Qt::Key_0, Qt::Key_Home}, [this] {
    m_window.showWhole();
    m_longest = Nanoseconds::max();
    refresh();
  });
  m_hold = addViewAction(*this, QStringLiteral("Hold the picture"), {Qt::Key_Space}, [this] {
    hold(m_hold->isChecked());
    if (!m_isHeld) setSnapshot(m_snapshot);
  });
  m_hold->setCheckable(true);
  m_hold->setIconText(QStringLiteral("Hold"));
  wider->setIconText(QStringLiteral("−"));
  narrower->setIconText(QStringLiteral("+"));
  whole->setIconText(QStringLiteral("Whole"));
  addViewAction(*this, QStringLiteral("Show a smaller range of values"), {Qt::CTRL | Qt::Key_Up},
                [this] { zoomValues(1, std::nullopt); });
  addViewAction(*this, QStringLiteral("Show a larger range of values"), {Qt::CTRL | Qt::Key_Down},
                [this] { zoomValues(-1, std::nullopt); });
  addViewAction(*this, QStringLiteral("Autoscale the values"), {Qt::CTRL | Qt::Key_0}, [this] {
    m_window.fitValues();
    refresh();
  });
  auto* between = addViewAction(*this, QStringLiteral("Zoom to the cursors"), {Qt::Key_Z}, [this] {
    if (const auto span = m_cursors.span()) m_window.show(*span);
    refresh();
  });
  between->setIconText(QStringLiteral("A–B"));
  auto* a = addViewAction(*this, QStringLiteral("Cursor A"), {Qt::Key_A}, [this] { placeCursor(Cursor::a); });
  auto* b = addViewAction(*this, QStringLiteral("Cursor B"), {Qt::Key_B}, [this] { placeCursor(Cursor::b); });
  auto* clear = addViewAction(*this, QStringLiteral("Clear cursors and selection"), {Qt::Key_Escape}, [this] {
    m_cursors.clear();
    clearPacket();
    cursorsChanged();
    refresh();
  });
  clear->setIconText(QStringLiteral("Clear"));
  addViewAction(*this, QStringLiteral("Move left"), {Qt::Key_Left}, [this] { moveCursor(-1); });
  addViewAction(*this, QStringLiteral("Move right"), {Qt::Key_Right}, [this] { moveCursor(1); });
  addViewAction(*this, QStringLiteral("Move far left"), {Qt::SHIFT | Qt::Key_Left}, [this] { moveCursor(-20); });
  addViewAction(*this, QStringLiteral("Move far right"), {Qt::SHIFT | Qt::Key_Right}, [this] { moveCursor(20); });
  addViewAction(*this, QStringLiteral("Go to packet…"), {Qt::Key_G}, [this] {
    m_packetNumber->setFocus(Qt::ShortcutFocusReason);
    m_packetNumber->selectAll();
  });
  auto* picture = addViewAction(*this, QStringLiteral("Save picture…"), {}, [this] { exportPicture(); });
  m_packetNumber->setPlaceholderText(QStringLiteral("packet"));
  m_packetNumber->setAccessibleName(QStringLiteral("Number of the packet to go to"));
  m_packetNumber->setToolTip(QStringLiteral("Go to the packet with this number in the capture (G)"));
  m_packetNumber->setFixedWidth(fontMetrics().averageCharWidth() * 12);
  m_packetNumber->setValidator(new QIntValidator(1, std::numeric_limits<int>::max(), m_packetNumber));
  connect(m_packetNumber, &QLineEdit::returnPressed, this, [this] {
    if (!goToPacket(m_packetNumber->text().toULongLong())) searchPacket(m_packetNumber->text().toULongLong());
    setFocus();
  });
  bar.addWidget(m_graphs);
  bar.addWidget(m_directions);
  bar.addSeparator();
  bar.addActions({m_hold, wider, narrower, whole});
  bar.addSeparator();
  bar.addActions({a, b, between, clear});
  bar.addSeparator();
  bar.addWidget(m_packetNumber);
  buildPacketActions(bar);
  bar.addAction(picture);
  bar.addSeparator();
  m_cursorText->setContentsMargins(6, 0, 6, 0);
  bar.addWidget(m_cursorText);
}

void PacketGraphsView::buildTable() {
  m_table->setModel(m_model);
  m_table->setAccessibleName(QStringLiteral("Graph values"));
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 6);
  m_table->horizontalHeader()->setDefaultSectionSize(fontMetrics().averageCharWidth() * 26);
  m_table->setColumnWidth(PacketTableModel::what, fontMetrics().averageCharWidth() * 44);
  m_table->setIconSize({28, 12});
  m_table->setWordWrap(false);
}

void PacketGraphsView::connectPlot() {
  connect(m_plot, &PacketPlot::cursorDragged, this, [this](Cursor cursor, Moment to) {
    m_activeCursor = cursor;
    m_cursors.place(cursor, to);
    cursorsChanged();
  });
  connect(m_plot, &PacketPlot::panned, this, [this](Nanoseconds by, double values) {
    m_window.pan(by);
    if (const auto& shown = m_window.values()) m_window.showValues({shown->from + values, shown->to + values});
    refresh();
  });
  connect(m_plot, &PacketPlot::zoomed, this, [this](int steps, Moment anchor) { zoomTime(steps, anchor); });
  connect(m_plot, &PacketPlot::valuesZoomed, this, [this](int steps, double anchor) { zoomValues(steps, anchor); });
  connect(m_plot, &PacketPlot::boxed, this, [this](TimeSpan span, ValueRange values) {
    m_window.show(span);
    m_window.showValues(values);
    refresh();
  });
  connect(m_plot, &PacketPlot::pointedAt, this, &PacketGraphsView::showTip);
  connect(m_plot, &PacketPlot::clicked, this, &PacketGraphsView::click);
}

void PacketGraphsView::exportPicture() {
  QString chosen;
  const QString path =
      QFileDialog::getSaveFileName(this, QStringLiteral("Save picture"), QStringLiteral("packets.png"),
                                   QStringLiteral("PNG picture (*.png);;PDF document (*.pdf)"), &chosen);
  if (path.isEmpty()) return;
  QString title = m_graphs->currentText();
  if (m_detail) {
    title += QStringLiteral("\n%1 ↔ %2")
                 .arg(toQString(m_detail->row.local.toString()), toQString(m_detail->row.remote.toString()));
  }
  showFailure(this, QStringLiteral("Save picture"),
              writePicture(context().ports.files, path, title,
                           [this](const PictureFile& file) { return m_plot->savePicture(file); }));
}

}  // namespace tcpscope
