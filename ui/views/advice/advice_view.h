// What to change so that the selected connection becomes faster: remedies of both directions, and one of them in full.
//
// A remedy's text changes with every snapshot (the current rate): while the user selects in it, it stays unchanged.
#pragma once

#include "core/advice/advice.h"
#include "ui/views/view.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSplitter;

namespace tcpscope {

class ChangePanel;
class SteadyList;

class AdviceView : public View {
  Q_OBJECT
public:
  explicit AdviceView(const ViewContext& context, QWidget* parent = nullptr);

  void setSnapshot(const SnapshotPointer& snapshot) override;
  void setSelection(const Selection& selection) override;
  void beginFix() override;
  [[nodiscard]] bool needsEverySnapshot() const override { return isChanging(); }

  /// The sentence above the list: the verdict, or why there is nothing to say.
  [[nodiscard]] QString headline() const;
  /// What a goal's field takes, where it holds something else; empty otherwise.
  [[nodiscard]] QString goalHint() const;
  /// Why there is no advice, and what the path may lose at most; empty where there is nothing of the kind to say.
  [[nodiscard]] QString remark() const;
  /// The chosen remedy in full; empty for none.
  [[nodiscard]] QString description() const;
  /// Null where the host cannot be changed from here.
  [[nodiscard]] ChangePanel* changePanel() { return m_change; }

protected:
  void changeEvent(QEvent* event) override;

private:
  [[nodiscard]] QLayout* buildGoal();
  void buildAdvice();
  void addChangePanel(ChangePort& port);
  void readGoal();
  void refresh();
  void showNothing(const QString& why);
  void showAdvice(const ConnectionDetail& detail, const ConnectionAdvice& advice);
  void showRemark(const QString& text);
  void showChosen();
  void previewChosen();
  void showPage();
  [[nodiscard]] bool isChanging() const;
  [[nodiscard]] const Remedy* chosen() const;
  /// The first that can be made from here, of the direction with more data; absent where none can.
  [[nodiscard]] std::optional<std::size_t> firstFix() const;
  /// The other end of the selected connection, where that is known and has a change that can be made.
  [[nodiscard]] std::optional<ConnectionId> peerWithFix() const;

  SnapshotPointer m_snapshot;
  AdviceGoal m_goal;
  /// In the order of the list: those of the direction with more data first.
  std::vector<Remedy> m_remedies;
  std::size_t m_bulkRemedies = 0;
  /// A fix was asked for, and none can be made from here.
  bool m_lacksFix = false;
  QComboBox* m_aim;
  QLineEdit* m_targetRate;
  QLineEdit* m_targetRtt;
  QLabel* m_goalHint;
  QLabel* m_headline;
  QLabel* m_remark;
  /// The list and the chosen remedy; hidden where there is none.
  QSplitter* m_advice;
  SteadyList* m_list;
  QPlainTextEdit* m_description;
  QPushButton* m_copy;
  QPushButton* m_preview;
  ChangePanel* m_change = nullptr;
};

/// The full description of a remedy, one paragraph for each point.
QString remedyText(const Remedy& remedy);

}  // namespace tcpscope
