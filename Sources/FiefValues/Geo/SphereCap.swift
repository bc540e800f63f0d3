/// A cap of the sphere, smaller than a half: the points within an angle of its centre.
struct SphereCap: Sendable {
  let center: SpherePoint
  /// The cosine of the angle.
  private let cosine: Double

  /// Makes a cap of the points; nil when they do not lie in less than half of the sphere around their centre.
  ///
  /// It contains the arcs between the points, because a cap of less than a half is convex. It also contains the smaller
  /// side of each loop of such arcs, because the rest of the sphere is more than a half and lies on one side.
  init?(around points: [SpherePoint]) {
    let sum = points.reduce(SpherePoint(0, 0, 0)) { SpherePoint($0.x + $1.x, $0.y + $1.y, $0.z + $1.z) }
    guard sum.length > 0.01 else { return nil }
    center = SpherePoint(sum.x / sum.length, sum.y / sum.length, sum.z / sum.length)
    var cosine = 1.0
    for point in points { cosine = min(cosine, center.dot(point)) }
    guard cosine > 0.01 else { return nil }
    self.cosine = cosine - Self.margin
  }

  /// Whether a point lies in the cap.
  func contains(_ point: SpherePoint) -> Bool { center.dot(point) >= cosine }

  /// Whether the cap has no point in common with another one.
  func isApart(from other: SphereCap) -> Bool {
    // The cosine of the sum of both angles, which is below a half circle. A rounded sine may be too small.
    let sines = ((1 - cosine * cosine) * (1 - other.cosine * other.cosine)).squareRoot()
    return center.dot(other.center) < cosine * other.cosine - sines - Self.margin
  }

  /// More than the rounding errors.
  private static let margin = 1e-9
}
