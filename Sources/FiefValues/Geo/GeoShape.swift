/// A shape on the earth that can contain points.
public enum GeoShape: Hashable, Sendable {
  /// A rectangle of latitudes and longitudes.
  case box(GeoBox)
  /// A polygon of great-circle arcs.
  case polygon(GeoPolygon)
  /// All points within a distance of a centre.
  case circle(GeoCircle)

  /// The first fault of the shape, as a sentence; nil for a sound one.
  public var problem: String? {
    if case .polygon(let polygon) = self { return polygon.problem }
    return nil
  }

  /// Whether the point lies within the shape.
  public func contains(_ point: GeoPoint) -> Bool {
    switch self {
    case .box(let box): box.contains(point)
    case .polygon(let polygon): polygon.contains(point)
    case .circle(let circle): circle.contains(point)
    }
  }
}
