/// A point on the earth.
///
///     let oslo = GeoPoint(latitude: 59.91, longitude: 10.75)
@frozen
public struct GeoPoint: Hashable, Sendable, CustomStringConvertible {
  /// Degrees north of the equator, -90...90.
  public let latitude: Double
  /// Degrees east of Greenwich, -180...180.
  public let longitude: Double
  /// Height above the surface in metres, 0 or more. All shapes ignore it.
  public let altitude: Double

  /// Makes a point on the surface; nil if a number is NaN or out of its range.
  ///
  ///     print(GeoPoint(latitude: 91, longitude: 0) == nil)          // true
  ///
  /// - Parameters:
  ///   - latitude: degrees north of the equator, -90...90.
  ///   - longitude: degrees east of Greenwich, -180...180.
  public init?(latitude: Double, longitude: Double) {
    self.init(latitude: latitude, longitude: longitude, altitude: 0)
  }

  /// Makes a point above the surface; nil if a number is NaN or out of its range.
  ///
  ///     let summit = GeoPoint(latitude: 61.64, longitude: 8.31, altitude: 2469)
  ///
  /// - Parameters:
  ///   - latitude: degrees north of the equator, -90...90.
  ///   - longitude: degrees east of Greenwich, -180...180.
  ///   - altitude: metres above the surface, 0 or more.
  public init?(latitude: Double, longitude: Double, altitude: Double) {
    guard -90...90 ~= latitude, -180...180 ~= longitude, altitude >= 0 else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  /// Latitude and longitude as a string.
  public var description: String { "(\(latitude), \(longitude))" }
}
