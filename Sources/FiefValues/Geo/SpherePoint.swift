import Foundation

/// A point of the unit sphere. Geometry is computed here, where poles and the date line are no special cases.
struct SpherePoint: Equatable, Sendable {
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

/// A closed line of great-circle arcs on the sphere; its inside is the smaller of the two parts into which it divides
/// it.
struct SphereLoop: Sendable {
  /// The corners, without the repetition of the first, with the inside to the left.
  let corners: [SpherePoint]

  /// Makes the loop through the points of a closed ring.
  init(_ ring: [GeoPoint]) {
    let points = ring.dropLast().map(SpherePoint.init)
    corners = SphereLoop.area(points) < 0 ? points.reversed() : points
  }

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

  /// Whether the point is inside the loop. Linear in the corners.
  ///
  /// The directions from the point to the corners turn by a full circle in total if the loop separates the point from
  /// its antipode. They turn to the left if the point is inside, and to the right if the antipode is.
  func contains(_ point: SpherePoint) -> Bool {
    guard var previous = corners.last.map(point.direction(to:)) else { return false }
    var turn = 0.0
    for corner in corners {
      let next = point.direction(to: corner)
      turn += atan2(point.dot(previous.cross(next)), previous.dot(next))
      previous = next
    }
    return turn > .pi
  }

  /// The reason why the loop is not a simple one, in words; nil for a sound loop. Quadratic in the corners.
  var problem: String? {
    let count = corners.count
    for a in 0..<count {
      for b in (a + 1)..<count where corners[a] == corners[b] { return "two of its corners are one point" }
    }
    for a in 0..<count {
      for b in (a + 1)..<count where b - a > 1 && !(a == 0 && b == count - 1) {
        if SphereLoop.arcsCross(corners[a], corners[a + 1], corners[b], corners[(b + 1) % count]) {
          return "its edges \(a) and \(b) cross"
        }
      }
    }
    return nil
  }

  /// Whether an edge of this loop crosses one of the other. Linear in the product of the numbers of corners.
  func crosses(_ other: SphereLoop) -> Bool {
    for a in corners.indices {
      for b in other.corners.indices {
        let (c, d) = (other.corners[b], other.corners[(b + 1) % other.corners.count])
        if SphereLoop.arcsCross(corners[a], corners[(a + 1) % corners.count], c, d) { return true }
      }
    }
    return false
  }

  /// The corners of either loop that lie on the other one, each point once. Linear in the product of the numbers of
  /// corners.
  func contacts(with other: SphereLoop) -> [SpherePoint] {
    var found: [SpherePoint] = []
    let touching = corners.filter(other.isOnBorder) + other.corners.filter(isOnBorder)
    for point in touching where !found.contains(where: { $0.angle(to: point) <= Self.tolerance }) {
      found.append(point)
    }
    return found
  }

  /// Whether the loop lies in another one. The loops must not cross.
  func lies(in other: SphereLoop) -> Bool {
    corners.first { !other.isOnBorder($0) }.map(other.contains) ?? true
  }

  /// Whether a point lies on an edge, within numeric tolerance.
  func isOnBorder(_ point: SpherePoint) -> Bool {
    corners.indices.contains { index in
      let (a, b) = (corners[index], corners[(index + 1) % corners.count])
      let normal = a.cross(b)
      guard abs(normal.dot(point)) <= Self.tolerance * normal.length else { return false }
      if point.angle(to: a) <= Self.tolerance || point.angle(to: b) <= Self.tolerance { return true }
      return a.cross(point).dot(normal) > 0 && point.cross(b).dot(normal) > 0
    }
  }

  /// An angle of less than a micrometre on the ground, but of many rounding errors.
  private static let tolerance = 1e-13

  /// Whether two arcs cross at a point in the interior of both.
  private static func arcsCross(_ a: SpherePoint, _ b: SpherePoint, _ c: SpherePoint, _ d: SpherePoint) -> Bool {
    let (ab, cd) = (a.cross(b), c.cross(d))
    // The ends of each arc lie on different sides of the other arc's great circle, and both arcs lie in the same
    // hemisphere.
    let (s1, s2, s3, s4) = (-ab.dot(c), ab.dot(d), cd.dot(a), -cd.dot(b))
    return s1 > 0 && s2 > 0 && s3 > 0 && s4 > 0 || s1 < 0 && s2 < 0 && s3 < 0 && s4 < 0
  }
}
