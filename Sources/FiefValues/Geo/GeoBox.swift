/// A rectangle of latitudes and longitudes: its sides run along meridians and parallels.
///
///     if let box = GeoBox(bottomLeft: (59.8, 10.6), topRight: (60.0, 10.9)) {
///       print(shops.where { $0.spot.geoWithin(box) }.count)
///     }
///
/// A box whose left side is east of its right side crosses the date line.
@frozen
public struct GeoBox: Hashable, Sendable {
  /// The south-west corner.
  public let bottomLeft: GeoPoint
  /// The north-east corner.
  public let topRight: GeoPoint

  /// Makes the box between two corners. If the bottom is above the top, it contains no points.
  ///
  ///     if let northEast = GeoPoint(latitude: 60, longitude: 11) {
  ///       print(GeoBox(bottomLeft: oslo, topRight: northEast))
  ///     }
  public init(bottomLeft: GeoPoint, topRight: GeoPoint) {
    self.bottomLeft = bottomLeft
    self.topRight = topRight
  }

  /// Makes the box between two corners; nil if one is not a valid point.
  ///
  ///     let box = GeoBox(bottomLeft: (59.8, 10.6), topRight: (60.0, 10.9))
  ///
  /// - Parameters:
  ///   - bottomLeft: latitude and longitude of the south-west corner, in degrees.
  ///   - topRight: latitude and longitude of the north-east corner, in degrees.
  public init?(bottomLeft: (Double, Double), topRight: (Double, Double)) {
    guard let low = GeoPoint(latitude: bottomLeft.0, longitude: bottomLeft.1),
      let high = GeoPoint(latitude: topRight.0, longitude: topRight.1)
    else { return nil }
    self.init(bottomLeft: low, topRight: high)
  }

  /// Whether the point lies within the box, including the border.
  ///
  ///     let isInside = box.contains(oslo)
  public func contains(_ point: GeoPoint) -> Bool {
    guard point.latitude >= bottomLeft.latitude && point.latitude <= topRight.latitude else { return false }
    // One meridian has two numbers: -180 and 180.
    return spans(point.longitude) || point.longitude.magnitude == 180 && spans(-point.longitude)
  }

  private func spans(_ longitude: Double) -> Bool {
    let (west, east) = (bottomLeft.longitude, topRight.longitude)
    return west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east
  }
}
