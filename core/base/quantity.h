// A number that knows its unit. Each unit is a type of its own, so that bytes and segments cannot be added.
//
// A quantity is made and read only through its named functions (see units.h). Arithmetic is what the unit allows:
// sums and differences of the same unit, scaling by a bare number, and the ratio of two.
#pragma once

#include <compare>

namespace tcpscope {

template <class Unit, class Rep>
class Quantity {
public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(Rep value) : m_value(value) {}

  [[nodiscard]] constexpr Rep value() const { return m_value; }

  constexpr auto operator<=>(const Quantity&) const = default;

  constexpr Quantity& operator+=(Quantity other) { return m_value += other.m_value, *this; }
  constexpr Quantity& operator-=(Quantity other) { return m_value -= other.m_value, *this; }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
  friend constexpr Quantity operator*(Quantity a, Rep factor) { return Quantity(a.m_value * factor); }
  /// Ratio of two quantities of the same unit; the divisor must not be zero.
  friend constexpr double operator/(Quantity a, Quantity b) {
    return static_cast<double>(a.m_value) / static_cast<double>(b.m_value);
  }

private:
  Rep m_value{};
};

}  // namespace tcpscope
