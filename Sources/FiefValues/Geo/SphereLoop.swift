import Foundation

/// A closed line of great-circle arcs on the sphere; its inside is the smaller of the two parts into which it divides
/// it.
struct SphereLoop: Sendable {
  /// The corners, without the repetition of the first, with the inside to the left.
  let corners: [SpherePoint]
  /// A cap that contains the loop and its inside; nil for a loop that reaches almost halfway around the earth.
  let cap: SphereCap?

  /// Makes the loop through the points of a closed ring.
  init(_ ring: [GeoPoint]) {
    let points = ring.dropLast().map(SpherePoint.init)
    corners = SphereLoop.area(points) < 0 ? points.reversed() : points
    cap = SphereCap(around: corners)
  }

  /// The corner behind another one; the first follows the last.
  func corner(after index: Int) -> SpherePoint { corners[index + 1 < corners.count ? index + 1 : 0] }

  /// The area to the left of the loop, -2π...2π: the sum of the signed excesses of a fan of triangles (Eriksson, "On
  /// the Measure of Solid Angles", 1990), reduced to the range of the area of a loop.
  private static func area(_ points: [SpherePoint]) -> Double {
    guard let first = points.first, points.count >= 3 else { return 0 }
    var sum = 0.0
    for index in 1..<(points.count - 1) {
      let (b, c) = (points[index], points[index + 1])
      sum += 2 * atan2(first.dot(b.cross(c)), 1 + first.dot(b) + b.dot(c) + c.dot(first))
    }
    return remainder(sum, 4 * .pi)
  }

  /// Whether the point is inside the loop. Linear in the corners, and constant for a point outside the cap.
  ///
  /// The directions from the point to the corners turn by a full circle in total if the loop separates the point from
  /// its antipode. They turn to the left if the point is inside, and to the right if the antipode is.
  func contains(_ point: SpherePoint) -> Bool {
    if let cap, !cap.contains(point) { return false }
    guard var previous = corners.last.map(point.direction(to:)) else { return false }
    var turn = 0.0
    for corner in corners {
      let next = point.direction(to: corner)
      turn += atan2(point.dot(previous.cross(next)), previous.dot(next))
      previous = next
    }
    return turn > .pi
  }

  /// Whether the loop lies in another one. The loops must not cross.
  func lies(in other: SphereLoop) -> Bool {
    corners.first { !other.isOnBorder($0) }.map(other.contains) ?? true
  }

  /// Whether a point lies on an edge, within numeric tolerance. Linear in the corners.
  private func isOnBorder(_ point: SpherePoint) -> Bool { corners.indices.contains { isOnEdge($0, point) } }

  /// Whether a point lies on the edge that begins at a corner, within numeric tolerance.
  func isOnEdge(_ index: Int, _ point: SpherePoint) -> Bool {
    let (a, b) = (corners[index], corner(after: index))
    let normal = a.cross(b)
    guard abs(normal.dot(point)) <= Self.tolerance * normal.length else { return false }
    if point.angle(to: a) <= Self.tolerance || point.angle(to: b) <= Self.tolerance { return true }
    return a.cross(point).dot(normal) > 0 && point.cross(b).dot(normal) > 0
  }

  /// An angle of less than a micrometre on the ground, but of many rounding errors.
  static let tolerance = 1e-13
}
