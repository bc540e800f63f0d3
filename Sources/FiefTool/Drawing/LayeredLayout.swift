import FiefRuntime

/// A connected part of a diagram, laid out in layers.
///
///     ┌─────┐                    1. lines that close a cycle are turned round
///     │  a  │──┐                 2. boxes get layers, each line leads to a lower one; a layer is not too wide
///     └─────┘  │                 3. a line that crosses layers gets a knot in each
///        │     • ◀── a knot      4. boxes and knots of a layer are ordered so that few lines cross
///     ┌─────┐  │                 5. they get places near their neighbours, without overlapping
///     │  b  │  │
///     └─────┘  │
///        └──┬──┘
///        ┌─────┐
///        │  c  │
///        └─────┘
///
/// This is the method of Sugiyama, Tagawa and Toda ("Methods for Visual Understanding of Hierarchical System
/// Structures", 1981). Step 1 is the heuristic of Eades, Lin and Smyth ("A fast and effective heuristic for the
/// feedback arc set problem", 1993). Step 2 fills layers of a limited width as Coffman and Graham ("Optimal scheduling
/// for two-processor systems", 1972) do. Step 4 orders by barycenters and counts crossings as Barth, Jünger and Mutzel
/// do ("Simple and Efficient Bilayer Cross Counting", 2002). Step 5 is a least-squares fit that keeps the order, found
/// by pooling adjacent violators (Ayer and others, 1955).
///
/// Lines of one box with many lines share their knots, so that a hub has one trunk.
struct LayeredLayout {
  /// A box of the diagram, or a knot of a trunk.
  struct Node {
    var size: Diagram.Point
    var layer = 0
    /// The horizontal middle.
    var x = 0.0
    let isKnot: Bool
  }

  /// The boxes of the diagram that the first nodes show.
  private let members: [Int]
  private var nodes: [Node]
  /// The lines, by their indices in the diagram; from the upper node to the lower one, over knots.
  private var routes: [(line: Int, nodes: [Int], isTurned: Bool)] = []
  /// The lines from a box to itself.
  private var loops: [(line: Int, node: Int)] = []
  /// The upper edge and the height of each layer.
  private var bands: [(y: Double, height: Double)] = []
  private(set) var size = Diagram.Point(0, 0)

  /// Lays out some boxes of a diagram. Lines to other boxes must not exist.
  init(_ members: [Int], of diagram: Diagram) {
    self.members = members
    nodes = members.map { Node(size: diagram.boxes[$0].size, isKnot: false) }
    var numbers: [Int: Int] = [:]
    for (number, member) in members.enumerated() { numbers[member] = number }
    var arcs: [(line: Int, from: Int, to: Int)] = []
    for (index, line) in diagram.lines.enumerated() {
      guard let from = numbers[line.from], let to = numbers[line.to] else { continue }
      if from == to { loops.append((index, from)) } else { arcs.append((index, from, to)) }
    }
    let order = AcyclicOrder(count: nodes.count, arcs.map { ($0.from, $0.to) }).positions
    let turned = arcs.map { arc in
      let isTurned = order[arc.from] > order[arc.to]
      return (arc.line, isTurned ? arc.to : arc.from, isTurned ? arc.from : arc.to, isTurned)
    }
    assignLayers(turned.map { ($0.1, $0.2) }, order)
    tieKnots(turned)
    var ordering = LayerOrder(layers: layers, links: links)
    ordering.improve(
      counting: WorkMeter.current.map {
        let sweeps = LayerOrder.mostSweeps
        return WorkMeter.Share(members.count * sweeps, of: $0, inSteps: sweeps)
      })
    place(ordering.layers)
  }

  /// The nodes of each layer. Knots begin in the middle and stay there unless something else is better, so that trunks
  /// run through the middle of their boxes.
  private var layers: [[Int]] {
    var boxes = Array(repeating: [Int](), count: (nodes.map(\.layer).max() ?? 0) + 1)
    var knots = boxes
    for (index, node) in nodes.enumerated() {
      if node.isKnot { knots[node.layer].append(index) } else { boxes[node.layer].append(index) }
    }
    return zip(boxes, knots).map { boxes, knots in
      Array(boxes.prefix(boxes.count / 2) + knots + boxes.dropFirst(boxes.count / 2))
    }
  }

  /// The links between nodes of neighbouring layers, each once.
  private var links: [(upper: Int, lower: Int)] {
    var known: Set<Diagram.Line> = []
    var links: [(upper: Int, lower: Int)] = []
    for route in routes {
      for (upper, lower) in zip(route.nodes, route.nodes.dropFirst())
      where known.insert(.init(from: upper, to: lower)).inserted {
        links.append((upper, lower))
      }
    }
    return links
  }

  // MARK: Layers

  /// Gives each box the first layer below those that lead to it that has space left.
  private mutating func assignLayers(_ arcs: [(upper: Int, lower: Int)], _ order: [Int]) {
    let lower = Neighbours(count: nodes.count, arcs).lower
    let area = nodes.reduce(0) { $0 + ($1.size.x + Diagram.gap) * ($1.size.y + Diagram.layerGap) }
    let widest = max(nodes.map(\.size.x).max() ?? 0, (area * Diagram.ratio).squareRoot())
    var widths: [Double] = []
    var boxes: [Int] = []
    for node in nodes.indices.sorted(by: { order[$0] < order[$1] }) {
      var layer = nodes[node].layer
      let width = nodes[node].size.x + Diagram.gap
      while layer < widths.count, boxes[layer] > 0, widths[layer] + width > widest { layer += 1 }
      while widths.count <= layer {
        widths.append(0)
        boxes.append(0)
      }
      widths[layer] += width
      boxes[layer] += 1
      nodes[node].layer = layer
      for target in lower[node] { nodes[target].layer = max(nodes[target].layer, layer + 1) }
    }
  }

  /// Ties a knot wherever a line crosses a layer. The lines of one hub share knots.
  private mutating func tieKnots(_ arcs: [(line: Int, upper: Int, lower: Int, isTurned: Bool)]) {
    var (below, above) = (Array(repeating: 0, count: nodes.count), Array(repeating: 0, count: nodes.count))
    for arc in arcs {
      below[arc.upper] += 1
      above[arc.lower] += 1
    }
    /// The trunk of a hub, by layers.
    var trunks: [Int: [Int: Int]] = [:]
    for arc in arcs {
      let isOfUpper = below[arc.upper] >= above[arc.lower]
      // Trunks downwards and upwards differ, as do those of lines that are turned round.
      let key = ((isOfUpper ? arc.upper : arc.lower) * 2 + (isOfUpper ? 0 : 1)) * 2 + (arc.isTurned ? 1 : 0)
      var route = [arc.upper]
      for layer in nodes[arc.upper].layer + 1..<nodes[arc.lower].layer {
        if let knot = trunks[key]?[layer] {
          route.append(knot)
        } else {
          trunks[key, default: [:]][layer] = nodes.count
          route.append(nodes.count)
          nodes.append(Node(size: .init(6, 0), layer: layer, isKnot: true))
        }
      }
      routes.append((arc.line, route + [arc.lower], arc.isTurned))
    }
  }

  // MARK: Places

  private mutating func place(_ layers: [[Int]]) {
    let places = LayerPlaces(layers: layers, links: links, widths: nodes.map(\.size.x), isKnot: nodes.map(\.isKnot))
    for node in nodes.indices { nodes[node].x = places.middles[node] }
    let left = nodes.map { $0.x - $0.size.x / 2 }.min() ?? 0
    for node in nodes.indices { nodes[node].x -= left }
    var y = 0.0
    for layer in layers {
      let height = layer.map { nodes[$0].size.y }.max() ?? 0
      bands.append((y, height))
      y += height + Diagram.layerGap
    }
    // Loops stand out to the right.
    let loopSpace = loops.isEmpty ? 0.0 : Diagram.gap
    size = Diagram.Point((nodes.map { $0.x + $0.size.x / 2 }.max() ?? 0) + loopSpace, max(0, y - Diagram.layerGap))
  }

  private func top(_ node: Int) -> Double {
    let band = bands[nodes[node].layer]
    return band.y + (band.height - nodes[node].size.y) / 2
  }

  /// Writes the places of the boxes and lines, moved by an offset.
  func put(at offset: Diagram.Point, into places: inout Diagram.Places) {
    for (number, member) in members.enumerated() {
      places.corners[member] = offset + .init(nodes[number].x - nodes[number].size.x / 2, top(number))
    }
    for route in routes {
      let points = points(of: route.nodes, isTurned: route.isTurned).map { offset + $0 }
      places.paths[route.line] = route.isTurned ? points.reversed() : points
      places.isClosing[route.line] = route.isTurned
    }
    for loop in loops {
      let (node, y) = (nodes[loop.node], top(loop.node))
      let right = node.x + node.size.x / 2
      let middle = y + node.size.y / 2
      places.paths[loop.line] = [
        offset + .init(right, middle - 7), offset + .init(right + Diagram.gap - 10, middle - 7),
        offset + .init(right + Diagram.gap - 10, middle + 7), offset + .init(right, middle + 7),
      ]
      places.isClosing[loop.line] = true
    }
  }

  /// The points of a route from the upper node to the lower one. A knot is a vertical piece through its layer, so that
  /// a line bends only between layers and never crosses a box.
  private func points(of route: [Int], isTurned: Bool) -> [Diagram.Point] {
    var points: [Diagram.Point] = []
    for (step, node) in route.enumerated() {
      let band = bands[nodes[node].layer]
      switch step {
      case 0:
        points.append(.init(port(of: node, towards: route[1], isTurned), top(node) + nodes[node].size.y))
        points.append(.init(points[0].x, band.y + band.height))
      case route.count - 1:
        let x = port(of: node, towards: route[step - 1], isTurned)
        points.append(.init(x, band.y))
        points.append(.init(x, top(node)))
      default:
        points.append(.init(nodes[node].x, band.y))
        points.append(.init(nodes[node].x, band.y + band.height))
      }
    }
    return points
  }

  /// The place where a line meets the upper or lower edge of a box: towards its other end. Lines in both directions
  /// between two boxes stay apart.
  private func port(of node: Int, towards other: Int, _ isTurned: Bool) -> Double {
    let box = nodes[node]
    let reach = max(0, box.size.x / 2 - 12)
    let shift = (nodes[other].x - box.x) * 0.4 + (isTurned ? 9 : 0)
    return box.x + min(max(shift, -reach), reach)
  }
}
