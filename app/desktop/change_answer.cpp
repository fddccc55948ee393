#include "app/desktop/change_answer.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <algorithm>

#include "core/base/escape.h"

namespace tcpscope {

namespace {

std::string plain(const QJsonValue& value) {
  return forPlainText(UntrustedText(value.toString().toStdString()));
}

std::optional<std::string> plainIfThere(const QJsonValue& value) {
  return value.isString() ? std::optional(plain(value)) : std::nullopt;
}

std::optional<QJsonObject> document(std::string_view json, QLatin1String schema) {
  const auto read = QJsonDocument::fromJson({json.data(), static_cast<qsizetype>(json.size())});
  if (!read.isObject() || read.object().value(QLatin1String("schema")).toString() != schema) return std::nullopt;
  return read.object();
}

std::optional<QJsonObject> changesDocument(std::string_view json) {
  return document(json, QLatin1String("tcpscope.changes"));
}

std::optional<QJsonObject> tuneDocument(std::string_view json) {
  return document(json, QLatin1String("tcpscope.tune"));
}

/// The value is kept under its name and unit: "value_bytes", "before_bps".
std::optional<std::string> valueOf(const QJsonObject& option, const QString& name) {
  for (auto entry = option.begin(); entry != option.end(); ++entry) {
    if (entry.key() != name && !entry.key().startsWith(name + u'_')) continue;
    if (entry->isDouble()) return QString::number(entry->toDouble(), 'f', 0).toStdString();
    if (entry->isBool()) return entry->toBool() ? "1" : "0";
    return plain(*entry);
  }
  return std::nullopt;
}

ChangeState stateNamed(const QString& text) {
  for (const ChangeState state : {ChangeState::applied, ChangeState::confirmed, ChangeState::reverted}) {
    if (text.toStdString() == name(state)) return state;
  }
  return ChangeState::preparing;
}

/// Whole seconds: what is behind the point is more than Qt reads.
QDateTime instant(const QJsonValue& value) {
  return QDateTime::fromString(value.toString().left(19) + u'Z', Qt::ISODate);
}

std::vector<std::string> textsOf(const QJsonArray& notes) {
  std::vector<std::string> texts;
  for (const QJsonValue note : notes) texts.push_back(plain(note.isObject() ? note[QLatin1String("text")] : note));
  return texts;
}

}  // namespace

std::optional<ChangeAnswer> readPreview(std::string_view json) {
  const auto object = changesDocument(json);
  if (!object || !object->value(QLatin1String("preview")).isArray()) return std::nullopt;
  ChangeAnswer answer;
  bool changes = false;
  bool isRefused = false;
  for (const QJsonValue row : object->value(QLatin1String("preview")).toArray()) {
    const QString verdict = row[QLatin1String("verdict")].toString();
    changes = changes || verdict == QLatin1String("changes");
    isRefused = isRefused || (verdict != QLatin1String("changes") && verdict != QLatin1String("same"));
    answer.rows.push_back({plain(row[QLatin1String("key")]), plainIfThere(row[QLatin1String("now")]),
                           plain(row[QLatin1String("wanted")]), plain(row[QLatin1String("text")])});
    for (std::string& note : textsOf(row[QLatin1String("notes")].toArray())) answer.notes.push_back(std::move(note));
  }
  answer.canApply = changes && !isRefused;
  return answer;
}

std::optional<ChangeAnswer> readChanged(std::string_view json) {
  const auto object = changesDocument(json);
  if (!object || !object->value(QLatin1String("changes")).isArray()) return std::nullopt;
  ChangeAnswer answer;
  const QJsonValue change = object->value(QLatin1String("changes")).toArray().first();
  if (change.isObject()) answer.change = static_cast<std::uint32_t>(change[QLatin1String("id")].toInteger());
  for (const QJsonValue row : change[QLatin1String("settings")].toArray()) {
    const std::string wanted = plain(row[QLatin1String("wanted")]);
    answer.rows.push_back(
        {plain(row[QLatin1String("key")]), wanted, wanted, "was " + plain(row[QLatin1String("original")]) + " before"});
  }
  answer.leftSomeAlone = object->value(QLatin1String("file_left_alone")).toBool();
  for (const QJsonValue row : object->value(QLatin1String("restored")).toArray()) {
    const std::string key = plain(row[QLatin1String("key")]);
    const QString outcome = row[QLatin1String("outcome")].toString();
    if (outcome == QLatin1String("left_alone") || outcome == QLatin1String("failed")) answer.leftSomeAlone = true;
    for (HostChangeRow& known : answer.rows) {
      if (known.key != key) continue;
      known.now = plainIfThere(row[QLatin1String("now")]);
      known.text = plain(row[QLatin1String("text")]);
    }
  }
  return answer;
}

std::optional<ChangeAnswer> readShown(std::string_view json, const std::vector<SettingChange>& wanted) {
  const auto object = tuneDocument(json);
  if (!object) return std::nullopt;
  ChangeAnswer answer;
  for (const SettingChange& change : wanted) {
    HostChangeRow row{std::string(change.key), change.now, change.wanted, {}};
    for (const QJsonValue option : object->value(QLatin1String("options")).toArray()) {
      if (plain(option[QLatin1String("name")]) != change.key) continue;
      row.now = valueOf(option.toObject(), QStringLiteral("value"));
      row.text = plain(option[QLatin1String("text")]);
      answer.canUndo = answer.canUndo || valueOf(option.toObject(), QStringLiteral("original")).has_value();
    }
    answer.rows.push_back(std::move(row));
  }
  answer.canApply = !answer.rows.empty();
  return answer;
}

std::optional<ChangeAnswer> readTuned(std::string_view json) {
  const auto object = tuneDocument(json);
  if (!object) return std::nullopt;
  ChangeAnswer answer;
  for (const QJsonValue change : object->value(QLatin1String("changes")).toArray()) {
    const QJsonObject option = change.toObject();
    HostChangeRow row{plain(option.value(QLatin1String("name"))),
                      valueOf(option, QStringLiteral("after")),
                      valueOf(option, QStringLiteral("wanted")).value_or(std::string()),
                      {}};
    if (const auto before = valueOf(option, QStringLiteral("before"))) row.text = "was " + *before + " before";
    answer.rows.push_back(std::move(row));
  }
  answer.notes = textsOf(object->value(QLatin1String("notes")).toArray());
  for (std::string& text : textsOf(object->value(QLatin1String("left_alone")).toArray())) {
    answer.notes.push_back(std::move(text));
    answer.leftSomeAlone = true;
  }
  return answer;
}

std::optional<std::vector<JournalledChange>> readJournal(std::string_view json) {
  const auto object = changesDocument(json);
  if (!object || !object->value(QLatin1String("changes")).isArray()) return std::nullopt;
  const QDateTime now = instant(object->value(QLatin1String("time")));
  std::vector<JournalledChange> changes;
  for (const QJsonValue entry : object->value(QLatin1String("changes")).toArray()) {
    JournalledChange change;
    change.number = static_cast<std::uint32_t>(entry[QLatin1String("id")].toInteger());
    change.state = stateNamed(entry[QLatin1String("state")].toString());
    change.bootId = plain(entry[QLatin1String("boot_id")]);
    const QDateTime madeAt = instant(entry[QLatin1String("made_at")]);
    if (now.isValid() && madeAt.isValid()) change.age = std::max(Milliseconds(madeAt.msecsTo(now)), Milliseconds(0));
    for (const QJsonValue row : entry[QLatin1String("settings")].toArray()) {
      change.settings.push_back({plain(row[QLatin1String("key")]), plain(row[QLatin1String("original")]),
                                 plain(row[QLatin1String("wanted")])});
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace tcpscope
