// The exact solution of a Riemann problem of an ideal gas: two states that meet at x = 0 at time 0.
//
// Words: between the two waves that run outwards lies the *star* region, of one pressure and one velocity,
// with a contact in it across which the density jumps.
//
// Source: Toro, "Riemann solvers and numerical methods for fluid dynamics", 3rd edition, sections 4.2 to 4.5.
#pragma once

namespace heddle::wave {

struct GasState {
  double density = 0.0, velocity = 0.0, pressure = 0.0;
};

class ExactRiemann {
 public:
  /// Requires: densities and pressures are positive, and the states do not fly apart so fast that a vacuum is
  /// left (creates_vacuum()).
  ExactRiemann(const GasState& left, const GasState& right, double gamma);

  [[nodiscard]] static bool creates_vacuum(const GasState& left, const GasState& right, double gamma);

  [[nodiscard]] double star_pressure() const { return pressure_; }
  [[nodiscard]] double star_velocity() const { return velocity_; }
  /// Along the ray x = speed * time, time > 0.
  [[nodiscard]] GasState along(double speed) const;

 private:
  /// On the left of the contact; the right side is its mirror image.
  [[nodiscard]] GasState left_of_contact(const GasState& outer, double star_velocity, double speed) const;

  GasState left_, right_;
  double gamma_;
  double pressure_ = 0.0;
  double velocity_ = 0.0;
};

}  // namespace heddle::wave
