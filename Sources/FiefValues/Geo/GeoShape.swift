/// One of the shapes that a point can lie within.
public enum GeoShape: Hashable, Sendable {
  case box(GeoBox)
  case polygon(GeoPolygon)
  case circle(GeoCircle)

  /// What is wrong with the shape, in a sentence; nil when it is sound.
  public var problem: String? {
    if case .polygon(let polygon) = self { return polygon.problem }
    return nil
  }

  /// Whether the point lies within.
  public func contains(_ point: GeoPoint) -> Bool {
    switch self {
    case .box(let box): box.contains(point)
    case .polygon(let polygon): polygon.contains(point)
    case .circle(let circle): circle.contains(point)
    }
  }
}
