import FiefGraph
import FiefObjects
import FiefQueries
import FiefValues

// A point is an embedded object with a string `type` equal to "Point" and a list `coordinates` of longitude and
// latitude.
extension Query {
  /// Whether the point lies within a box, whose sides run along meridians and parallels. False for an object that is
  /// not a point.
  ///
  ///     if let box = GeoBox(bottomLeft: (59.8, 10.6), topRight: (60.0, 10.9)) {
  ///       print(shops.where { $0.spot.geoWithin(box) }.count)
  ///     }
  ///
  /// A point is an embedded object with a string `type` equal to "Point" and a list `coordinates` of longitude and
  /// latitude. Traps when the class has no such properties.
  ///
  /// - Complexity: O(n).
  public func geoWithin<Point: EmbeddedObject>(_ box: GeoBox) -> Query<Bool> where T == Point? { within(.box(box)) }

  /// Whether the point lies within a polygon on the sphere; on the border the result may be either. False for an object
  /// that is not a point.
  ///
  ///     shops.where { $0.spot.geoWithin(area) }
  ///
  /// Traps for a polygon whose rings cross, or whose holes lie outside, and when the class is not that of points; see
  /// `geoWithin(_:)` with a box.
  ///
  /// - Complexity: O(n · c) for a polygon of c corners.
  public func geoWithin<Point: EmbeddedObject>(_ polygon: GeoPolygon) -> Query<Bool> where T == Point? {
    within(.polygon(polygon))
  }

  /// Whether the point lies within a circle, the border included. False for an object that is not a point.
  ///
  ///     if let near = Distance.kilometers(5), let circle = GeoCircle(center: (59.9, 10.7), radius: near) {
  ///       print(shops.where { $0.spot.geoWithin(circle) }.count)
  ///     }
  ///
  /// Traps when the class is not that of points; see `geoWithin(_:)` with a box.
  ///
  /// - Complexity: O(n).
  public func geoWithin<Point: EmbeddedObject>(_ circle: GeoCircle) -> Query<Bool> where T == Point? {
    within(.circle(circle))
  }

  private func within(_ shape: GeoShape) -> Query<Bool> { compare(.within, QueryOperand(.shape(shape))) }
}
