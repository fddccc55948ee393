// A value on the heap, or none: a copy of the pointer owns a copy of the value.
//
// For parts of a value that come and go and are large, so that whatever holds one stays a value itself.
#pragma once

#include <memory>
#include <utility>

namespace tcpscope {

template <class Value>
class ValuePointer {
public:
  ValuePointer() = default;
  ValuePointer(const ValuePointer& other)
      : m_value(other.m_value ? std::make_unique<Value>(*other.m_value) : nullptr) {}
  ValuePointer(ValuePointer&&) noexcept = default;
  ValuePointer& operator=(const ValuePointer& other) { return *this = ValuePointer(other); }
  ValuePointer& operator=(ValuePointer&&) noexcept = default;
  ~ValuePointer() = default;

  template <class... Arguments>
  void emplace(Arguments&&... arguments) {
    m_value = std::make_unique<Value>(std::forward<Arguments>(arguments)...);
  }
  void reset() { m_value.reset(); }

  explicit operator bool() const { return m_value != nullptr; }
  Value& operator*() { return *m_value; }
  const Value& operator*() const { return *m_value; }
  Value* operator->() { return m_value.get(); }
  const Value* operator->() const { return m_value.get(); }

private:
  std::unique_ptr<Value> m_value;
};

}  // namespace tcpscope
