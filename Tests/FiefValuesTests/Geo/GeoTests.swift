import FiefTestSupport
import FiefValues
import Testing

@Suite struct GeoTests {
  @Test func pointsOutOfRangeAreNone() {
    #expect(GeoPoint(latitude: 90, longitude: -180) != nil)
    #expect(GeoPoint(latitude: 90.1, longitude: 0) == nil)
    #expect(GeoPoint(latitude: 0, longitude: 180.5) == nil)
    #expect(GeoPoint(latitude: .nan, longitude: 0) == nil)
    #expect(GeoPoint(latitude: 0, longitude: .nan) == nil)
    #expect(GeoPoint(latitude: 0, longitude: 0, altitude: -1) == nil)
    #expect(GeoPoint(latitude: 1, longitude: 2, altitude: 3)?.altitude == 3)
  }

  @Test func distancesConvert() throws {
    let mile = try #require(Distance.miles(1))
    #expect(abs(mile.asKilometers() - 1.609344) < 1e-9)
    #expect(abs(mile.asMiles() - 1) < 1e-12)
    #expect(abs((Distance.degrees(180)?.radians ?? 0) - .pi) < 1e-15)
    #expect(abs((Distance.radians(1)?.asDegrees() ?? 0) - 57.29577951308232) < 1e-12)
    #expect(abs((Distance.kilometers(6378.1)?.radians ?? 0) - 1) < 1e-12)
    #expect(Distance.kilometers(-1) == nil)
    #expect(Distance.degrees(.nan) == nil)
  }

  @Test func aBoxHasItsBorderAndMayCrossTheDateLine() throws {
    let box = try #require(GeoBox(bottomLeft: (-10, 170), topRight: (10, -170)))
    func contains(_ latitude: Double, _ longitude: Double) throws -> Bool {
      box.contains(try #require(GeoPoint(latitude: latitude, longitude: longitude)))
    }
    #expect(try contains(0, 175))
    #expect(try contains(10, -175))
    #expect(try contains(-10, 170))
    #expect(try !contains(0, 0))
    #expect(try !contains(11, 175))
    #expect(GeoBox(bottomLeft: (-91, 0), topRight: (0, 0)) == nil)
  }

  @Test func theDateLineIsTheSameBorderByBothItsNumbers() throws {
    for (west, east) in [(170.0, 180.0), (-180, -170), (180, -170), (170, -180)] {
      let box = try #require(GeoBox(bottomLeft: (-10, west), topRight: (10, east)))
      for longitude in [180.0, -180] {
        #expect(box.contains(try #require(GeoPoint(latitude: 0, longitude: longitude))))
        #expect(!box.contains(try #require(GeoPoint(latitude: 11, longitude: longitude))))
      }
      #expect(!box.contains(try #require(GeoPoint(latitude: 0, longitude: 0))))
    }
    let other = try #require(GeoBox(bottomLeft: (-10, -10), topRight: (10, 10)))
    #expect(!other.contains(try #require(GeoPoint(latitude: 0, longitude: 180))))
  }

  @Test func aCircleReachesOverThePole() throws {
    let radius = try #require(Distance.degrees(10))
    let circle = try #require(GeoCircle(center: (85, 0), radius: radius))
    func contains(_ latitude: Double, _ longitude: Double) throws -> Bool {
      circle.contains(try #require(GeoPoint(latitude: latitude, longitude: longitude)))
    }
    #expect(try contains(85, 180))
    #expect(try contains(76, 0))
    #expect(try !contains(84, 180))
    #expect(GeoCircle(center: (0, 0), radiusInRadians: -1) == nil)
    #expect(GeoCircle(center: (0, 0), radiusInRadians: .nan) == nil)
  }

  @Test func aRingMustBeClosedAndHaveFourPoints() {
    #expect(GeoPolygon(outerRing: [(0, 0), (0, 1), (1, 1)]) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (0, 1), (1, 1), (1, 0)]) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (0, 1), (0, 0)]) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (0, 1), (1, 1), (0, 0)]) != nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (0, 1), (1, 1), (0, 0)], holes: [[(0, 0)]]) == nil)
    #expect(GeoPolygon(outerRing: [(0, 0), (0, 200), (1, 1), (0, 0)]) == nil)
  }

  @Test func crossingEdgesAndStrayHolesAreReported() throws {
    let bowTie = try #require(GeoPolygon(outerRing: [(0, 0), (10, 10), (10, 0), (0, 10), (0, 0)]))
    #expect(bowTie.problem?.contains("cross") == true)
    let twice = try #require(GeoPolygon(outerRing: [(0, 0), (10, 0), (10, 10), (10, 0), (0, 0)]))
    #expect(twice.problem != nil)
    let square: [(Double, Double)] = [(0, 0), (0, 10), (10, 10), (10, 0), (0, 0)]
    let outside = try #require(
      GeoPolygon(outerRing: square, holes: [[(20, 20), (20, 21), (21, 21), (20, 20)]]))
    #expect(outside.problem?.contains("Hole 0") == true)
    let across = try #require(GeoPolygon(outerRing: square, holes: [[(5, 5), (5, 15), (6, 15), (5, 5)]]))
    #expect(across.problem != nil)
    let inside = try #require(GeoPolygon(outerRing: square, holes: [[(4, 4), (4, 6), (6, 6), (6, 4), (4, 4)]]))
    #expect(inside.problem == nil)
  }

  @Test func holesThatTouchTheOuterRingOrNestAreReported() {
    typealias Ring = [(Double, Double)]
    let square: Ring = [(0, 0), (0, 10), (10, 10), (10, 0), (0, 0)]
    func problem(_ holes: Ring...) -> String? {
      guard let polygon = GeoPolygon(outerRing: square, holes: holes) else { return "not a polygon" }
      return polygon.problem
    }
    let inner: Ring = [(2, 2), (2, 6), (6, 6), (6, 2), (2, 2)]
    // A part of an edge, a whole edge, a corner on a corner, a corner on an edge, and the ring itself in both
    // orientations.
    for hole: Ring in [
      [(0, 2), (2, 2), (2, 4), (0, 4), (0, 2)], [(0, 0), (5, 2), (5, 4), (10, 0), (0, 0)],
      [(0, 0), (3, 4), (4, 3), (0, 0)],
      [(5, 0), (6, 4), (5, 4), (5, 0)], square, square.reversed(),
    ] {
      #expect(problem(hole)?.contains("touches") == true)
      #expect(problem(inner, hole)?.contains("Hole 1") == true)
    }
    #expect(problem(inner, [(3, 3), (3, 4), (4, 4), (3, 3)])?.contains("lies in the other") == true)
    #expect(problem([(3, 3), (3, 4), (4, 4), (3, 3)], inner)?.contains("lies in the other") == true)
    #expect(problem([(2, 2), (3, 4), (4, 3), (2, 2)], inner)?.contains("lies in the other") == true)
    #expect(problem(inner, inner) != nil)
    #expect(problem(inner, [(2, 6), (6, 6), (6, 8), (2, 6)])?.contains("in common") == true)
    #expect(problem(inner, [(5, 5), (5, 8), (8, 8), (5, 5)])?.contains("in common") == true)
    #expect(problem(inner, [(7, 7), (7, 8), (8, 8), (7, 7)]) == nil)
    // Holes may touch in a corner.
    #expect(problem(inner, [(6, 6), (6, 8), (8, 8), (6, 6)]) == nil)
  }

  /// Small polygons near the equator are nearly flat, so the plane's rule of odd crossings is the oracle there.
  @Test func smallPolygonsContainWhatFlatOnesContain() {
    Seeds.run(count: 50) { _, random in
      let count = 3 + random.below(8)
      // A star-shaped ring around the middle never crosses itself.
      var ring: [(Double, Double)] = []
      for corner in 0..<count {
        let (angle, radius) = (Double(corner) / Double(count) * 6.28, 0.2 + random.unit() * 0.8)
        let (x, y) = SeededRandom.direction(angle)
        ring.append((y * radius, x * radius))
      }
      ring.append(ring[0])
      guard let polygon = GeoPolygon(outerRing: random.bool() ? ring : ring.reversed()) else { return }
      #expect(polygon.problem == nil)
      for _ in 0..<100 {
        let (latitude, longitude) = (random.unit() * 2.4 - 1.2, random.unit() * 2.4 - 1.2)
        guard let point = GeoPoint(latitude: latitude, longitude: longitude) else { continue }
        var isInside = false
        var isNearBorder = false
        for (a, b) in zip(ring, ring.dropFirst()) {
          let cross = (b.1 - a.1) * (latitude - a.0) - (b.0 - a.0) * (longitude - a.1)
          if abs(cross) < 1e-3 { isNearBorder = true }
          if (a.0 > latitude) != (b.0 > latitude),
            longitude < (b.1 - a.1) * (latitude - a.0) / (b.0 - a.0) + a.1
          {
            isInside.toggle()
          }
        }
        if !isNearBorder { #expect(polygon.contains(point) == isInside, "\(point) in \(ring)") }
        // The antipode is never inside.
        if let antipode = GeoPoint(latitude: -latitude, longitude: longitude > 0 ? longitude - 180 : longitude + 180) {
          #expect(!polygon.contains(antipode))
        }
      }
    }
  }

  @Test func aPolygonOverAPoleContainsIt() throws {
    let cap = try #require(GeoPolygon(outerRing: [(60, 0), (60, 90), (60, 180), (60, -90), (60, 0)]))
    #expect(cap.problem == nil)
    #expect(cap.contains(try #require(GeoPoint(latitude: 90, longitude: 0))))
    #expect(cap.contains(try #require(GeoPoint(latitude: 80, longitude: 45))))
    #expect(!cap.contains(try #require(GeoPoint(latitude: 0, longitude: 45))))
    #expect(!cap.contains(try #require(GeoPoint(latitude: -80, longitude: 45))))
  }

  // MARK: Many points

  /// A ring of many corners around a place, which never crosses itself.
  private func ring(_ count: Int, around latitude: Double, _ longitude: Double, _ size: Double) -> [(Double, Double)] {
    var ring = (0..<count).map { corner in
      let (x, y) = SeededRandom.direction(Double(corner) / Double(count) * 6.28)
      // Spikes.
      let radius = size * (corner.isMultiple(of: 2) ? 1 : 0.998)
      return (latitude + y * radius, longitude + x * radius)
    }
    ring.append(ring[0])
    return ring
  }

  /// Comparing each edge with each would take minutes in a debug build.
  @Test func aPolygonOfManyPointsAndHolesIsCheckedSoon() throws {
    let outer = ring(20_000, around: 10, 10, 8)
    let holes = (0..<100).map { ring(50, around: 6 + Double($0 / 10) * 0.8, 6 + Double($0 % 10) * 0.8, 0.1) }
    let country = try #require(GeoPolygon(outerRing: outer, holes: holes))
    #expect(country.problem == nil)
    var crossed = outer
    crossed.swapAt(10_000, 15_000)
    #expect(try #require(GeoPolygon(outerRing: crossed, holes: [])).problem?.contains("cross") == true)
    let astray = try #require(GeoPolygon(outerRing: outer, holes: holes + [ring(50, around: 6.1, 6.1, 0.1)]))
    #expect(astray.problem == "Hole 100 has more than a corner in common with hole 0.")
    // A look at the whole border for each corner of the hole would take minutes, too.
    let side = (0..<20_000).map { (0.0, Double($0) / 2_000) }
    let beside = try #require(
      GeoPolygon(outerRing: side + [(0, 10), (10, 10), (10, 0), (0, 0)], holes: [ring(20_000, around: -1, 5, 0.3)]))
    #expect(beside.problem == "Hole 0 does not lie within the outer ring.")
    let region = country.region
    #expect(region.contains(try #require(GeoPoint(latitude: 10.2, longitude: 10.2))))
    #expect(!region.contains(try #require(GeoPoint(latitude: 10, longitude: 10))))
    #expect(!region.contains(try #require(GeoPoint(latitude: 10, longitude: 18.5))))
    #expect(!region.contains(try #require(GeoPoint(latitude: -10, longitude: -170))))
  }
}

extension SeededRandom {
  /// The point of the unit circle at an angle, by the first terms of both series after halving the angle ten times.
  fileprivate static func direction(_ angle: Double) -> (x: Double, y: Double) {
    var (x, y) = (1.0, angle / 1024)
    x -= y * y / 2
    for _ in 0..<10 { (x, y) = (x * x - y * y, 2 * x * y) }
    let length = (x * x + y * y).squareRoot()
    return (x / length, y / length)
  }
}
