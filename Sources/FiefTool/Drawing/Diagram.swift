import FiefRuntime

/// Boxes and the lines between them, before they have places.
///
/// Lengths are in pixels; y grows downwards.
struct Diagram {
  /// One box: an object, or a class.
  struct Box {
    /// The width and the height.
    var size: Point
  }

  /// A line between two boxes, or from a box to itself.
  struct Line: Hashable {
    /// The index of the box where it begins.
    var from: Int
    /// The index of the box at its arrowhead.
    var to: Int
  }

  var boxes: [Box]
  var lines: [Line]

  /// A place, or a size.
  struct Point: Hashable {
    var x: Double
    var y: Double

    init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }

    static func + (a: Point, b: Point) -> Point { Point(a.x + b.x, a.y + b.y) }
  }

  /// The places of a diagram.
  struct Places {
    /// The upper left corners of the boxes.
    var corners: [Point]
    /// The points of the lines, from the box where each begins to the box at its arrowhead.
    var paths: [[Point]]
    /// Whether a line closes a cycle: it leads upwards, against the others.
    var isClosing: [Bool]
    /// The size of the whole.
    var size: Point
  }

  /// The space between boxes of one layer.
  static let gap = 28.0
  /// The space between two layers.
  static let layerGap = 56.0
  /// How much wider than high a drawing is to be.
  static let ratio = 1.6
}

extension Diagram {
  /// Finds places: each connected part is laid out in layers, and the parts are put beside each other in rows.
  ///
  /// - Complexity: O(n²) in the boxes; O(m log m) in the lines and the layers that they cross, some 30 times.
  func placed() -> Places {
    let meter = WorkMeter.current
    meter?.begin(.drawing, of: boxes.count, passes: LayerOrder.mostSweeps)
    var places = Places(
      corners: Array(repeating: Point(0, 0), count: boxes.count), paths: Array(repeating: [], count: lines.count),
      isClosing: Array(repeating: false, count: lines.count), size: Point(0, 0))
    let parts = connectedParts().map { LayeredLayout($0, of: self) }.sorted { $0.size.y > $1.size.y }
    let area = parts.reduce(0) { $0 + ($1.size.x + 2 * Self.gap) * ($1.size.y + 2 * Self.gap) }
    let width = max(parts.map(\.size.x).max() ?? 0, (area * Self.ratio).squareRoot())
    // Shelves: the highest parts first, so that a shelf is filled with parts of similar heights.
    var (corner, height) = (Point(0, 0), 0.0)
    for part in parts {
      if corner.x > 0 && corner.x + part.size.x > width {
        corner = Point(0, corner.y + height + 2 * Self.gap)
        height = 0
      }
      part.put(at: corner, into: &places)
      height = max(height, part.size.y)
      places.size = Point(max(places.size.x, corner.x + part.size.x), max(places.size.y, corner.y + part.size.y))
      corner.x += part.size.x + 2 * Self.gap
    }
    return places
  }

  /// The boxes that lines connect, in the order of their first boxes.
  private func connectedParts() -> [[Int]] {
    var leaders = Array(boxes.indices)
    func leader(_ box: Int) -> Int {
      var box = box
      while leaders[box] != box {
        leaders[box] = leaders[leaders[box]]
        box = leaders[box]
      }
      return box
    }
    for line in lines {
      let (a, b) = (leader(line.from), leader(line.to))
      leaders[max(a, b)] = min(a, b)
    }
    return Dictionary(grouping: boxes.indices, by: leader).values.sorted { $0[0] < $1[0] }
  }
}

extension WorkMeter.Stage {
  /// Boxes get their places.
  static let drawing = Self("drawing", "object")
}
