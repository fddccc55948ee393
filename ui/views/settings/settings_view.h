// Every socket option of the selected connection, and every sysctl of its host: value, allowed values, who set it; and
// a change of one with preview, trial, measured effect and undo.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>

#include "ui/models/setting_rows.h"
#include "ui/views/advice/change_panel.h"
#include "ui/views/settings/setting_editor.h"
#include "ui/views/settings/slider_changes.h"
#include "ui/views/view.h"
#include "ui/widgets/steady_list.h"

namespace tcpscope {

class SettingsView : public View {
  Q_OBJECT
public:
  explicit SettingsView(const ViewContext& context, QWidget* parent = nullptr);

  void setSnapshot(const SnapshotPointer& snapshot) override;
  void setSelection(const Selection& selection) override;
  [[nodiscard]] bool needsEverySnapshot() const override { return m_change != nullptr && !m_change->isHidden(); }
  void saveSettings(QSettings& settings) const override;
  void restoreSettings(QSettings& settings) override;

  /// Options or sysctls.
  void showKind(SettingKind kind);
  [[nodiscard]] const std::vector<SettingRow>& rows() const { return m_rows; }
  [[nodiscard]] SteadyList& list() { return m_list; }
  [[nodiscard]] SettingEditor& editor() { return m_editor; }
  /// Null where nothing can be changed from here.
  [[nodiscard]] ChangePanel* changePanel() { return m_change; }
  /// What the list is about, or why it is empty.
  [[nodiscard]] QString headline() const { return m_headline.text(); }

private:
  void buildLayout();
  void refresh();
  void fillList();
  void showChosen();
  /// The place whose settings are shown; null while there is none.
  [[nodiscard]] const Place* place() const;
  [[nodiscard]] SettingKind kind() const;
  [[nodiscard]] bool isLive() const;
  /// Of the rows, the ones that the filter lets through and that are not another's.
  [[nodiscard]] std::vector<SettingRow> currentRows() const;
  [[nodiscard]] const SettingRow* chosen() const;
  [[nodiscard]] std::optional<HostChangeRequest> requestFor(std::vector<SettingChange> changes) const;
  void readValues();
  void takeReadValues();
  void begin(const HostChangeRequest& request);
  void previewTyped(const SettingChange& change);
  void applyFromSlider(const SettingChange& change);
  void showAllowed();
  /// Of what the editor has: the connection, or the place alone.
  [[nodiscard]] ConnectionId shownOf() const;

  SnapshotPointer m_snapshot;
  QComboBox m_kind;
  QLineEdit m_filter;
  QPushButton m_read;
  QLabel m_headline;
  SteadyList m_list;
  SettingEditor m_editor;
  /// What was read for the list, and of which connection or place.
  std::vector<HostChangeRow> m_readRows;
  std::optional<ConnectionId> m_readOf;
  Moment m_readAt;
  QString m_readFault;
  bool m_isReading = false;
  std::vector<SettingRow> m_rows;
  ConnectionId m_editorOf;
  /// Whose option the slider changed last.
  ConnectionId m_slidingOf;
  ChangePanel* m_change = nullptr;
  std::optional<SliderChanges> m_sliderChanges;
  QTimer m_poll;
};

}  // namespace tcpscope
