/// The horizontal places of nodes in ordered layers: each near the mean of its neighbours, and none over another.
struct LayerPlaces {
  /// The horizontal middle of each node.
  private(set) var middles: [Double]

  /// - Parameters:
  ///   - layers: the nodes of each layer, in order.
  ///   - links: the links between neighbouring layers.
  ///   - widths: the widths of the nodes.
  ///   - isKnot: whether a node is a knot of a line; lines are kept straight.
  init(layers: [[Int]], links: [(upper: Int, lower: Int)], widths: [Double], isKnot: [Bool]) {
    middles = Array(repeating: 0, count: widths.count)
    let neighbours = Neighbours(count: widths.count, links)
    let (upper, lower) = (neighbours.upper, neighbours.lower)
    func space(_ a: Int, _ b: Int) -> Double {
      (widths[a] + widths[b]) / 2 + (isKnot[a] && isKnot[b] ? 8 : isKnot[a] || isKnot[b] ? 14 : Diagram.gap)
    }
    for layer in layers {
      for (left, right) in zip(layer, layer.dropFirst()) { middles[right] = middles[left] + space(left, right) }
      let middle = ((layer.first.map { middles[$0] } ?? 0) + (layer.last.map { middles[$0] } ?? 0)) / 2
      for node in layer { middles[node] -= middle }
    }
    for sweep in 0..<16 {
      // The last rounds look at both sides.
      let isBoth = sweep >= 10
      let isDown = sweep % 2 == 0
      for layer in isDown ? layers : layers.reversed() {
        let wanted = layer.map { node in
          let near = isBoth ? upper[node] + lower[node] : isDown ? upper[node] : lower[node]
          return near.isEmpty ? middles[node] : near.reduce(0) { $0 + middles[$1] } / Double(near.count)
        }
        let weights = layer.map { node -> Double in
          let near = isBoth ? upper[node].count + lower[node].count : (isDown ? upper[node] : lower[node]).count
          return near == 0 ? 0.05 : isKnot[node] ? 20 : 1
        }
        let offsets = layer.indices.dropFirst().reduce(into: [0.0]) { offsets, position in
          offsets.append(offsets[position - 1] + space(layer[position - 1], layer[position]))
        }
        let fitted = Self.fit(zip(wanted, offsets).map { $0 - $1 }, weights)
        for (position, node) in layer.enumerated() { middles[node] = fitted[position] + offsets[position] }
      }
    }
  }

  /// The ascending numbers with the least weighted squares of distances from the given ones.
  ///
  /// - Complexity: linear.
  static func fit(_ numbers: [Double], _ weights: [Double]) -> [Double] {
    var pools: [(mean: Double, weight: Double, count: Int)] = []
    for (number, weight) in zip(numbers, weights) {
      pools.append((number, weight, 1))
      while pools.count > 1, let last = pools.last, pools[pools.count - 2].mean >= last.mean {
        let before = pools[pools.count - 2]
        let weight = before.weight + last.weight
        pools.removeLast()
        pools[pools.count - 1] = (
          (before.mean * before.weight + last.mean * last.weight) / weight, weight, before.count + last.count
        )
      }
    }
    return pools.flatMap { Array(repeating: $0.mean, count: $0.count) }
  }
}
