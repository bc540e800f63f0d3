import FiefRuntime

/// The order of nodes within layers, improved until few links between neighbouring layers cross.
struct LayerOrder {
  private(set) var layers: [[Int]]
  private let neighbours: Neighbours
  private var positions: [Int]

  /// - Parameters:
  ///   - layers: the nodes of each layer; each node is in one.
  ///   - links: the links, from a node to one of the next layer.
  init(layers: [[Int]], links: [(upper: Int, lower: Int)]) {
    let count = layers.reduce(0) { $0 + $1.count }
    self.layers = layers
    neighbours = Neighbours(count: count, links)
    positions = Array(repeating: 0, count: count)
    for layer in layers.indices { number(layer) }
  }

  private mutating func number(_ layer: Int) {
    for (position, node) in layers[layer].enumerated() { positions[node] = position }
  }

  /// The maximum number of sweeps.
  static let mostSweeps = 24

  /// Sweeps down and up, ordering each layer by the mean positions of the neighbours in the layer before, and keeps the
  /// best order.
  ///
  /// - Parameter share: counts the sweeps.
  mutating func improve(counting share: WorkMeter.Share? = nil) {
    var (best, fewest) = (layers, crossings)
    var idle = 0
    defer { share?.finish() }
    for sweep in 0..<Self.mostSweeps where fewest > 0 && idle < 6 {
      share?.advance(by: 1)
      let isDown = sweep % 2 == 0
      for layer in isDown ? Array(layers.indices.dropFirst()) : layers.indices.dropLast().reversed() {
        order(layer, by: isDown ? neighbours.upper : neighbours.lower)
      }
      let crossings = crossings
      if crossings < fewest { (best, fewest, idle) = (layers, crossings, 0) } else { idle += 1 }
    }
    layers = best
    for layer in layers.indices { number(layer) }
  }

  private mutating func order(_ layer: Int, by neighbours: [[Int]]) {
    // A node without neighbours keeps its place.
    let means = layers[layer].map { node in
      neighbours[node].isEmpty
        ? Double(positions[node])
        : Double(neighbours[node].reduce(0) { $0 + positions[$1] }) / Double(neighbours[node].count)
    }
    let sorted = layers[layer].indices.sorted { (means[$0], $0) < (means[$1], $1) }
    layers[layer] = sorted.map { layers[layer][$0] }
    number(layer)
  }

  /// The number of pairs of links that cross.
  ///
  /// - Complexity: O(m log n) in the links.
  var crossings: Int {
    var sum = 0
    for layer in layers.indices.dropLast() {
      // Counts the earlier links that end further to the right, in a binary indexed tree.
      var tree = Array(repeating: 0, count: layers[layer + 1].count + 1)
      var total = 0
      for node in layers[layer] {
        let ends = neighbours.lower[node].map { positions[$0] }.sorted()
        for end in ends {
          var (index, before) = (end + 1, 0)
          while index > 0 {
            before += tree[index]
            index &= index - 1
          }
          sum += total - before
        }
        for end in ends {
          var index = end + 1
          while index < tree.count {
            tree[index] += 1
            index += index & -index
          }
          total += 1
        }
      }
    }
    return sum
  }
}
