#if DEBUG
  import FiefTestSupport
  import Testing

  @testable import FiefTool

  /// Layouts of diagrams: what has to hold of any, checked on drawn and on random ones.
  @Suite struct DiagramTests {
    private static func diagram(_ count: Int, _ lines: [(Int, Int)], size: Diagram.Point = .init(120, 40)) -> Diagram {
      Diagram(
        boxes: Array(repeating: .init(size: size), count: count), lines: lines.map { .init(from: $0.0, to: $0.1) })
    }

    @Test func nothingHasNoSize() {
      let places = Self.diagram(0, []).placed()
      #expect(places.corners.isEmpty && places.size == .init(0, 0))
    }

    @Test func aChainLeadsStraightDown() {
      let places = Self.diagram(3, [(0, 1), (1, 2)]).placed()
      #expect(places.corners.map(\.x) == [0, 0, 0])
      #expect(places.corners.map(\.y) == [0, 96, 192])
      #expect(places.size == .init(120, 232))
      #expect(places.isClosing == [false, false])
    }

    @Test func theLineThatClosesACycleIsTheOnlyOneThatLeadsUp() throws {
      let diagram = Self.diagram(3, [(0, 1), (1, 2), (2, 0)])
      let places = diagram.placed()
      #expect(places.isClosing.count { $0 } == 1)
      for (line, path) in places.paths.enumerated() {
        let (first, last) = (try #require(path.first), try #require(path.last))
        #expect((first.y > last.y) == places.isClosing[line])
      }
    }

    @Test func linesInBothDirectionsStayApart() {
      let places = Self.diagram(2, [(0, 1), (1, 0)]).placed()
      #expect(places.paths[0].first != places.paths[1].last)
      #expect(Set(places.isClosing) == [true, false])
    }

    @Test func aLineToItselfLeavesItsBoxAndComesBack() {
      let places = Self.diagram(1, [(0, 0)]).placed()
      #expect(places.isClosing == [true])
      #expect(places.paths[0].first?.x == 120 && places.paths[0].last?.x == 120)
      #expect(places.paths[0].allSatisfy { $0.x >= 120 && $0.x <= places.size.x })
    }

    @Test func aHubOfManyIsNotDrawnInOneLongRow() {
      let places = Self.diagram(200, (1..<200).map { (0, $0) }).placed()
      #expect(places.size.x < 3 * places.size.y && places.size.y < 2 * places.size.x, "\(places.size)")
    }

    @Test(arguments: 0..<40)
    func randomDiagramsKeepTheRules(_ number: Int) throws {
      var random = SeededRandom(seed: UInt64(number) + 1)
      let count = 1 + random.below(60)
      let boxes = (0..<count).map { _ in
        Diagram.Box(size: .init(Double(40 + random.below(220)), Double(20 + random.below(120))))
      }
      let lines = (0..<random.below(2 * count + 1)).map { _ in
        Diagram.Line(from: random.below(count), to: random.below(count))
      }
      let diagram = Diagram(boxes: boxes, lines: lines)
      let places = diagram.placed()
      let areas = zip(boxes, places.corners).map { (corner: $1, opposite: $1 + $0.size) }
      for (index, area) in areas.enumerated() {
        #expect(area.corner.x >= -0.01 && area.corner.y >= -0.01, "box \(index)")
        #expect(area.opposite.x <= places.size.x + 0.01 && area.opposite.y <= places.size.y + 0.01, "box \(index)")
        for other in areas[(index + 1)...] {
          let isApart =
            area.opposite.x <= other.corner.x + 0.01 || other.opposite.x <= area.corner.x + 0.01
            || area.opposite.y <= other.corner.y + 0.01 || other.opposite.y <= area.corner.y + 0.01
          #expect(isApart, "box \(index) overlaps")
        }
      }
      for (line, path) in zip(lines, places.paths) {
        let (first, last) = (try #require(path.first), try #require(path.last))
        #expect(touches(first, areas[line.from]) && touches(last, areas[line.to]), "\(line)")
      }
      // Without the lines that close cycles no cycle is left.
      let open = zip(lines, places.isClosing).filter { !$1 }.map { $0.0 }
      for line in open { #expect(places.corners[line.from].y < places.corners[line.to].y, "\(line)") }
      // The same diagram is always drawn alike.
      let again = diagram.placed()
      #expect(again.corners == places.corners && again.paths == places.paths)
    }

    private func touches(
      _ point: Diagram.Point, _ area: (corner: Diagram.Point, opposite: Diagram.Point)
    ) -> Bool {
      let isAtSide = abs(point.x - area.opposite.x) < 0.01
      let isAtEdge = abs(point.y - area.corner.y) < 0.01 || abs(point.y - area.opposite.y) < 0.01
      return (isAtSide || isAtEdge) && point.x >= area.corner.x - 0.01 && point.x <= area.opposite.x + 0.01
        && point.y >= area.corner.y - 0.01 && point.y <= area.opposite.y + 0.01
    }
  }

  @Suite struct LayerOrderTests {
    @Test func crossingsAreCountedAndRemoved() {
      // Two links that cross, and one beside them.
      var order = LayerOrder(layers: [[0, 1, 2], [3, 4, 5]], links: [(0, 4), (1, 3), (2, 5)])
      #expect(order.crossings == 1)
      order.improve()
      #expect(order.crossings == 0)
    }

    @Test func crossingsAreThoseOfAllPairs() {
      var random = SeededRandom(seed: 7)
      for _ in 0..<50 {
        let links = (0..<12).map { _ in
          (upper: random.below(5), lower: 5 + random.below(5))
        }
        var pairs = 0
        for (index, a) in links.enumerated() {
          for b in links[(index + 1)...] where (a.upper - b.upper) * (a.lower - b.lower) < 0 { pairs += 1 }
        }
        var order = LayerOrder(layers: [Array(0..<5), Array(5..<10)], links: links)
        #expect(order.crossings == pairs)
        order.improve()
        #expect(order.crossings <= pairs)
      }
    }
  }

  @Suite struct LayerPlacesTests {
    @Test func aFitKeepsTheOrderAndTheMean() {
      #expect(LayerPlaces.fit([1, 2, 3], [1, 1, 1]) == [1, 2, 3])
      #expect(LayerPlaces.fit([3, 1], [1, 1]) == [2, 2])
      #expect(LayerPlaces.fit([3, 1], [3, 1]) == [2.5, 2.5])
      #expect(LayerPlaces.fit([5, 4, 3, 10], [1, 1, 1, 1]) == [4, 4, 4, 10])
    }
  }

  @Suite struct AcyclicOrderTests {
    @Test func withoutCyclesNoArcLeadsBackwards() {
      let arcs = [(0, 3), (3, 1), (1, 2), (0, 2)]
      let order = AcyclicOrder(count: 4, arcs).positions
      #expect(order.sorted() == [0, 1, 2, 3])
      #expect(arcs.allSatisfy { order[$0.0] < order[$0.1] })
    }

    @Test func oneArcOfARingLeadsBackwards() {
      let arcs = (0..<9).map { ($0, ($0 + 1) % 9) }
      let order = AcyclicOrder(count: 9, arcs).positions
      #expect(arcs.count { order[$0.0] > order[$0.1] } == 1)
    }
  }
#endif
