import Foundation

/// A point of the unit sphere. Geometry is computed here, where poles and the date line are no special cases.
struct SpherePoint: Hashable, Sendable {
  let x: Double
  let y: Double
  let z: Double

  init(_ x: Double, _ y: Double, _ z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  init(_ point: GeoPoint) {
    let (latitude, longitude) = (point.latitude * .pi / 180, point.longitude * .pi / 180)
    self.init(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
  }

  func dot(_ other: SpherePoint) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: SpherePoint) -> SpherePoint {
    SpherePoint(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  var length: Double { dot(self).squareRoot() }

  /// The angle between both points. The arc tangent is accurate for small angles and for large ones.
  func angle(to other: SpherePoint) -> Double { atan2(cross(other).length, dot(other)) }

  /// The component of `other` that is perpendicular to this point: the direction to `other` from here.
  func direction(to other: SpherePoint) -> SpherePoint {
    let along = dot(other)
    return SpherePoint(other.x - along * x, other.y - along * y, other.z - along * z)
  }
}
