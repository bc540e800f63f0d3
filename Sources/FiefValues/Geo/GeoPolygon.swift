/// An area between closed rings of great-circle arcs: all points within the outer ring and in none of the holes.
///
///     if let area = GeoPolygon(outerRing: [(59, 10), (59, 11), (60, 11), (60, 10), (59, 10)]), area.problem == nil {
///       print(shops.where { $0.spot.geoWithin(area) }.count)
///     }
///
/// The inside of a ring is the smaller of the two parts into which it divides the earth, in either orientation.
public struct GeoPolygon: Hashable, Sendable {
  /// The points of the outer ring, the last equal to the first.
  public let outerRing: [GeoPoint]
  /// The rings of the holes.
  public let holes: [[GeoPoint]]

  /// Makes the polygon of these rings; nil unless each is closed and has four points or more. Crossing rings are not
  /// detected here; see `problem`.
  ///
  ///     let triangle = GeoPolygon(outerRing: [points[0], points[1], points[2], points[0]])
  ///
  /// - Parameters:
  ///   - outerRing: the points of the outer ring, the last equal to the first.
  ///   - holes: the rings of the holes, each closed in the same way.
  public init?(outerRing: [GeoPoint], holes: [[GeoPoint]] = []) {
    guard ([outerRing] + holes).allSatisfy({ $0.count >= 4 && $0.first == $0.last }) else { return nil }
    self.outerRing = outerRing
    self.holes = holes
  }

  /// Makes the polygon of these rings; nil unless each is closed and has four points or more.
  ///
  /// - Parameters:
  ///   - outerRing: the points of the outer ring, the last equal to the first.
  ///   - holes: the rings of the holes, each closed in the same way.
  public init?(outerRing: [GeoPoint], holes: [GeoPoint]...) { self.init(outerRing: outerRing, holes: holes) }

  /// Makes the polygon of rings of latitudes and longitudes; nil if one is not a valid point, or a ring is open or too
  /// short.
  ///
  ///     let square = GeoPolygon(outerRing: [(59, 10), (59, 11), (60, 11), (60, 10), (59, 10)])
  ///
  /// - Parameters:
  ///   - outerRing: latitude and longitude of each point in degrees, the last equal to the first.
  ///   - holes: the rings of the holes, each closed in the same way.
  public init?(outerRing: [(Double, Double)], holes: [[(Double, Double)]] = []) {
    func points(_ ring: [(Double, Double)]) -> [GeoPoint]? {
      let points = ring.compactMap { GeoPoint(latitude: $0.0, longitude: $0.1) }
      return points.count == ring.count ? points : nil
    }
    let holePoints = holes.compactMap(points)
    guard let outer = points(outerRing), holePoints.count == holes.count else { return nil }
    self.init(outerRing: outer, holes: holePoints)
  }

  /// Makes the polygon of rings of latitudes and longitudes; nil if one is not a valid point, or a ring is open or too
  /// short.
  ///
  ///     let ring = GeoPolygon(
  ///       outerRing: [(59, 10), (59, 11), (60, 11), (60, 10), (59, 10)],
  ///       holes: [(59.4, 10.4), (59.4, 10.6), (59.6, 10.6), (59.4, 10.4)])
  ///
  /// - Parameters:
  ///   - outerRing: latitude and longitude of each point in degrees, the last equal to the first.
  ///   - holes: the rings of the holes, each closed in the same way.
  public init?(outerRing: [(Double, Double)], holes: [(Double, Double)]...) {
    self.init(outerRing: outerRing, holes: holes)
  }

  /// The first fault of the polygon, as a sentence; nil for a sound one.
  ///
  ///     if let problem = area.problem { print("The area cannot be asked for: \(problem)") }
  ///
  /// In a sound polygon each ring is simple, holes lie within the outer ring and do not touch it, and no hole lies in
  /// another or has more than one corner in common with it. A query with an unsound polygon traps.
  ///
  /// - Complexity: n log n for n points, and linear in the pairs of edges that overlap along an axis of the earth. A
  ///   border of short edges has few of these; in the worst case all pairs overlap. Holes are compared pair by pair.
  public var problem: String? {
    let outer = SphereLoop(outerRing)
    if let problem = outer.problem { return "The outer ring is no ring: \(problem)." }
    var earlier: [SphereLoop] = []
    for (index, ring) in holes.enumerated() {
      let hole = SphereLoop(ring)
      if let problem = hole.problem { return "Hole \(index) is no ring: \(problem)." }
      if hole.contacts(with: outer) > 0 { return "Hole \(index) touches the outer ring." }
      // Without a crossing, the borders have no point in common, and all corners lie on one side.
      if hole.crosses(outer) || !(hole.corners.first.map(outer.contains) ?? false) {
        return "Hole \(index) does not lie within the outer ring."
      }
      for (number, other) in earlier.enumerated() {
        if hole.crosses(other) || hole.contacts(with: other) > 1 {
          return "Hole \(index) has more than a corner in common with hole \(number)."
        }
        if hole.lies(in: other) || other.lies(in: hole) {
          return "Of holes \(number) and \(index) one lies in the other."
        }
      }
      earlier.append(hole)
    }
    return nil
  }

  /// The polygon prepared for many calls of `contains(_:)`.
  ///
  ///     let region = area.region
  ///     let inside = points.filter { region.contains($0) }
  ///
  /// - Complexity: linear in the number of points.
  public var region: Region { Region(self) }

  /// Whether the point lies within the polygon. For a point on the border, either result is possible.
  ///
  ///     let isInside = area.contains(oslo)
  ///
  /// - Complexity: linear in the number of points.
  public func contains(_ point: GeoPoint) -> Bool { region.contains(point) }

  /// A polygon prepared for many calls of `contains(_:)`: it stores the corners on the sphere.
  public struct Region: Sendable {
    private let outer: SphereLoop
    private let holes: [SphereLoop]

    init(_ polygon: GeoPolygon) {
      outer = SphereLoop(polygon.outerRing)
      holes = polygon.holes.map(SphereLoop.init)
    }

    /// Whether the point lies within the polygon. For a point on the border, either result is possible.
    ///
    /// - Complexity: linear in the number of corners, and constant for points that are far from the polygon.
    public func contains(_ point: GeoPoint) -> Bool {
      let point = SpherePoint(point)
      return outer.contains(point) && !holes.contains { $0.contains(point) }
    }
  }
}
