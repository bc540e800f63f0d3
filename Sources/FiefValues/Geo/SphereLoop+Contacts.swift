// Crossings and contacts of edges. Only edges that overlap along an axis are compared. A sweep along the axis finds
// them (Shamos and Hoey, "Geometric Intersection Problems", 1976, in its simplest form: the edges at the place of the
// sweep are a list).

extension SphereLoop {
  /// The reason why the loop is not a simple one, in words; nil for a sound loop.
  var problem: String? {
    if Set(corners).count < corners.count { return "two of its corners are one point" }
    var first: (Int, Int)?
    SphereSpan.forEachOverlap(of: spans(along: widestAxis)) { one, other in
      let (a, b) = (min(one, other), max(one, other))
      let areNeighbours = b - a == 1 || a == 0 && b == corners.count - 1
      if !areNeighbours, first.map({ (a, b) < $0 }) ?? true, Self.cross(self, a, self, b) { first = (a, b) }
      return true
    }
    return first.map { "its edges \($0.0) and \($0.1) cross" }
  }

  /// Whether an edge of this loop crosses one of the other.
  func crosses(_ other: SphereLoop) -> Bool {
    var isCrossing = false
    forEachOverlap(with: other) { edge, otherEdge in
      isCrossing = Self.cross(self, edge, other, otherEdge)
      return !isCrossing
    }
    return isCrossing
  }

  /// How many points are corners of one of the loops and lie on the other one, counted up to two.
  func contacts(with other: SphereLoop) -> Int {
    var found: [SpherePoint] = []
    func note(_ point: SpherePoint) {
      if !found.contains(where: { $0.angle(to: point) <= Self.tolerance }) { found.append(point) }
    }
    // The span of an edge contains its corner.
    forEachOverlap(with: other) { edge, otherEdge in
      if other.isOnEdge(otherEdge, corners[edge]) { note(corners[edge]) }
      if isOnEdge(edge, other.corners[otherEdge]) { note(other.corners[otherEdge]) }
      return found.count < 2
    }
    return min(found.count, 2)
  }

  /// Whether two edges cross at a point in the interior of both.
  static func cross(_ one: SphereLoop, _ edge: Int, _ other: SphereLoop, _ otherEdge: Int) -> Bool {
    let (a, b) = (one.corners[edge], one.corner(after: edge))
    let (c, d) = (other.corners[otherEdge], other.corner(after: otherEdge))
    let (ab, cd) = (a.cross(b), c.cross(d))
    // The ends of each arc lie on different sides of the other arc's great circle, and both arcs lie in the same
    // hemisphere.
    let (s1, s2, s3, s4) = (-ab.dot(c), ab.dot(d), cd.dot(a), -cd.dot(b))
    return s1 > 0 && s2 > 0 && s3 > 0 && s4 > 0 || s1 < 0 && s2 < 0 && s3 < 0 && s4 < 0
  }

  // MARK: Sweeping

  /// Calls `body` for pairs of an edge of each loop until it returns false. All pairs with a common point are among
  /// them.
  private func forEachOverlap(with other: SphereLoop, _ body: (Int, Int) -> Bool) {
    if let cap, let otherCap = other.cap, cap.isApart(from: otherCap) { return }
    let axis = widestAxis
    let edges = spans(along: axis)
    guard let low = edges.lazy.map(\.low).min(), let high = edges.lazy.map(\.high).max() else { return }
    let others = other.spans(along: axis, numberedFrom: corners.count).filter { $0.low <= high && $0.high >= low }
    SphereSpan.forEachOverlap(of: edges + others) { one, another in
      let (edge, otherEdge) = (min(one, another), max(one, another) - corners.count)
      return edge >= corners.count || otherEdge < 0 || body(edge, otherEdge)
    }
  }

  /// The axis along which the corners are spread the most.
  private var widestAxis: KeyPath<SpherePoint, Double> & Sendable {
    func spread(_ axis: KeyPath<SpherePoint, Double>) -> Double {
      let places = corners.lazy.map { $0[keyPath: axis] }
      return (places.max() ?? 0) - (places.min() ?? 0)
    }
    let (x, y, z) = (spread(\.x), spread(\.y), spread(\.z))
    return x >= y && x >= z ? \.x : y >= z ? \.y : \.z
  }

  /// The edges along an axis, each with its number.
  private func spans(along axis: KeyPath<SpherePoint, Double>, numberedFrom first: Int = 0) -> [SphereSpan] {
    corners.indices.map { index in
      let (a, b) = (corners[index], corner(after: index))
      let chord = SpherePoint(b.x - a.x, b.y - a.y, b.z - a.z)
      // An arc over a chord of length c rises above it by 1 - √(1 - c²/4), which is at most c²/4. The rest is for
      // rounding and the tolerance.
      let rise = chord.dot(chord) / 4 + 1e-9
      let (start, end) = (a[keyPath: axis], b[keyPath: axis])
      return SphereSpan(low: min(start, end) - rise, high: max(start, end) + rise, number: first + index)
    }
  }
}

/// The part of an axis that an edge takes.
private struct SphereSpan {
  let low: Double
  let high: Double
  /// The number of the edge.
  let number: Int

  /// Calls `body` with the numbers of each two spans that overlap, until it returns false.
  ///
  /// - Complexity: n log n and the number of pairs.
  static func forEachOverlap(of spans: [SphereSpan], _ body: (Int, Int) -> Bool) {
    /// The spans that have begun, and may not have ended.
    var open: [SphereSpan] = []
    for span in spans.sorted(by: { $0.low < $1.low }) {
      open.removeAll { $0.high < span.low }
      for other in open where !body(other.number, span.number) { return }
      open.append(span)
    }
  }
}
