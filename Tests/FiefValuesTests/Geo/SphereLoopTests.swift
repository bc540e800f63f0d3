#if DEBUG
  import FiefTestSupport
  import Testing

  @testable import FiefValues

  @Suite struct SphereLoopTests {
    /// The oracle compares each edge with each other one.
    @Test func edgesThatCrossAreFoundAsByComparingAll() {
      var (crossing, sound) = (0, 0)
      Seeds.run(count: 1_000) { _, random in
        let count = 4 + random.below(12)
        // From parts of a degree to half of the earth, and on the same few places.
        let size = [0.001, 1, 60][random.below(3)]
        let points = (0..<count).map { _ in
          let (latitude, longitude) = (random.unit() * size, random.unit() * size * 2)
          return random.below(3) == 0
            ? (latitude.rounded(), longitude.rounded()) : (latitude, longitude)
        }
        guard let polygon = GeoPolygon(outerRing: points + [points[0]]) else { return }
        let loop = SphereLoop(polygon.outerRing)
        let corners = loop.corners
        var expected: String?
        search: for a in corners.indices {
          for b in corners.indices where b > a + 1 && !(a == 0 && b == count - 1) {
            if SphereLoop.cross(loop, a, loop, b) {
              expected = "its edges \(a) and \(b) cross"
              break search
            }
          }
        }
        if Set(corners).count < count { expected = "two of its corners are one point" }
        #expect(loop.problem == expected, "\(points)")
        if expected == nil { sound += 1 } else { crossing += 1 }
      }
      Figures.report("\(crossing) loops that are not simple, \(sound) that are")
    }

    @Test func contactsOfLoopsAreFoundAsByComparingAll() {
      var counts = [0, 0, 0]
      Seeds.run(count: 1_000) { _, random in
        func loop() -> SphereLoop? {
          // Corners on a grid meet often; edges along the meridians lie on each other.
          var places = (0..<16).map { (Double($0 / 4), Double($0 % 4)) }
          places.shuffle(using: &random)
          let points = Array(places.prefix(3 + random.below(3)))
          let polygon = GeoPolygon(outerRing: points + [points[0]]).map { SphereLoop($0.outerRing) }
          return polygon.flatMap { $0.problem == nil ? $0 : nil }
        }
        guard let (one, other) = loop().flatMap({ one in loop().map { (one, $0) } }) else { return }
        let touching =
          one.corners.filter { corner in other.corners.indices.contains { other.isOnEdge($0, corner) } }
          + other.corners.filter { corner in one.corners.indices.contains { one.isOnEdge($0, corner) } }
        var places: [SpherePoint] = []
        for point in touching where !places.contains(where: { $0.angle(to: point) <= SphereLoop.tolerance }) {
          places.append(point)
        }
        #expect(one.contacts(with: other) == min(places.count, 2))
        #expect(other.contacts(with: one) == min(places.count, 2))
        counts[min(places.count, 2)] += 1
      }
      Figures.report("pairs of loops with no, one and more contacts: \(counts)")
    }
  }
#endif
