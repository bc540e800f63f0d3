/// All points within a distance of a centre.
///
///     if let near = Distance.kilometers(5), let circle = GeoCircle(center: (59.91, 10.75), radius: near) {
///       print(shops.where { $0.spot.geoWithin(circle) }.count)
///     }
@frozen
public struct GeoCircle: Hashable, Sendable {
  /// The centre.
  public let center: GeoPoint
  /// The radius as an angle at the centre of the earth, 0 or more.
  public let radiusInRadians: Double

  /// A shorter name of `radiusInRadians`.
  public var radians: Double { radiusInRadians }

  /// Makes the circle around a point; nil if the radius is negative or NaN.
  ///
  ///     let circle = GeoCircle(center: oslo, radiusInRadians: 0.001)
  ///
  /// - Parameters:
  ///   - center: the centre; its altitude is ignored.
  ///   - radiusInRadians: the radius as an angle at the centre of the earth, 0 or more.
  public init?(center: GeoPoint, radiusInRadians: Double) {
    guard radiusInRadians >= 0 else { return nil }
    self.center = center
    self.radiusInRadians = radiusInRadians
  }

  /// Makes the circle around a point.
  ///
  ///     if let near = Distance.kilometers(5) { print(GeoCircle(center: oslo, radius: near)) }
  public init(center: GeoPoint, radius: Distance) {
    self.center = center
    radiusInRadians = radius.radians
  }

  /// Makes the circle around a latitude and a longitude; nil if they are not a valid point, or the radius is negative
  /// or NaN.
  ///
  ///     let circle = GeoCircle(center: (59.91, 10.75), radiusInRadians: 0.001)
  ///
  /// - Parameters:
  ///   - center: latitude and longitude of the centre, in degrees.
  ///   - radiusInRadians: the radius as an angle at the centre of the earth, 0 or more.
  public init?(center: (Double, Double), radiusInRadians: Double) {
    guard let point = GeoPoint(latitude: center.0, longitude: center.1) else { return nil }
    self.init(center: point, radiusInRadians: radiusInRadians)
  }

  /// Makes the circle around a latitude and a longitude; nil if they are not a valid point.
  ///
  ///     let circle = Distance.kilometers(5).flatMap { GeoCircle(center: (59.91, 10.75), radius: $0) }
  ///
  /// - Parameters:
  ///   - center: latitude and longitude of the centre, in degrees.
  ///   - radius: the radius.
  public init?(center: (Double, Double), radius: Distance) {
    guard let point = GeoPoint(latitude: center.0, longitude: center.1) else { return nil }
    self.init(center: point, radius: radius)
  }

  /// Whether the point lies within the circle, including the border.
  ///
  ///     let isNear = circle.contains(oslo)
  public func contains(_ point: GeoPoint) -> Bool {
    SpherePoint(center).angle(to: SpherePoint(point)) <= radiusInRadians
  }
}
