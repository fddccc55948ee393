// The line in which a setting gets its new value: typed, or by a slider whose values may be applied while it moves.
#pragma once

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSlider>
#include <QWidget>

#include "ui/models/setting_rows.h"

namespace tcpscope {

class SettingEditor : public QWidget {
  Q_OBJECT
public:
  explicit SettingEditor(QWidget* parent = nullptr);

  /// Of another key, or of another connection or place, it begins with the current value; else what the user typed
  /// stays.
  void setRow(const std::optional<SettingRow>& row, ConnectionId of);
  /// Forgets what the user typed.
  void startOver();
  /// Is the place one that can be changed from here, and may a value be previewed, or a slider's value applied, now?
  struct Allowed {
    bool isLive = false;
    bool previews = false;
    bool slides = false;
    bool operator==(const Allowed&) const = default;
  };
  void allow(const Allowed& allowed);

  [[nodiscard]] QLineEdit& field() { return m_field; }
  [[nodiscard]] QSlider& slider() { return m_slider; }
  [[nodiscard]] QCheckBox& appliesWhileMoved() { return m_appliesWhileMoved; }
  [[nodiscard]] QPushButton& preview() { return m_preview; }
  /// What is wrong with the typed value; empty where nothing is.
  [[nodiscard]] QString fault() const { return m_fault.text(); }

signals:
  void previewRequested(const tcpscope::SettingChange& change);
  /// The slider moved, and its values are to be applied at once.
  void applyRequested(const tcpscope::SettingChange& change);

protected:
  void changeEvent(QEvent* event) override;

private:
  void buildLayout();
  void check();
  void takeFromSlider(int position);
  /// The slider follows what the user types; it applies nothing by that.
  void takeTyped(const QString& text);
  void showOnSlider(SocketOption option, const std::optional<OptionValue>& value);
  void colorField();

  std::optional<SettingRow> m_row;
  ConnectionId m_of;
  Allowed m_allowed;
  QLabel m_name;
  QLineEdit m_field;
  QSlider m_slider{Qt::Horizontal};
  QCheckBox m_appliesWhileMoved;
  QPushButton m_preview;
  QLabel m_fault;
};

}  // namespace tcpscope
