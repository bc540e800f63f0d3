extension RadixTree {
  /// Calls `body` with every chunk, in ascending order of their numbers, until it returns false. Linear.
  ///
  /// - Returns: Whether `body` returned true for every chunk.
  @inlinable
  @discardableResult
  public func forEach(_ body: (Int64, Chunk) throws -> Bool) rethrows -> Bool {
    try Self.forEach(root, 0, levels, body)
  }

  @inlinable
  static func forEach(
    _ node: borrowing RadixNode, _ base: Int64, _ level: Int, _ body: (Int64, Chunk) throws -> Bool
  ) rethrows -> Bool {
    switch node {
    case .empty: return true
    case .chunk(let chunk): return try body(base, typed(chunk))
    case .inner(let nodes):
      for digit in 0..<RadixNode.fanOut {
        guard try forEach(nodes[digit], RadixNode.base(base, digit, level), level - 1, body) else { return false }
      }
      return true
    }
  }

  /// The chunk with the lowest number from `number` on, or nil.
  @inlinable
  public func next(from number: Int64) -> (number: Int64, chunk: Chunk)? {
    var found: (number: Int64, chunk: Chunk)?
    Self.forEach(root, from: max(0, number), 0, levels) {
      found = ($0, $1)
      return false
    }
    return found
  }

  /// The chunk with the highest number, or nil.
  @inlinable
  public var last: (number: Int64, chunk: Chunk)? { Self.last(root, 0, levels) }

  @inlinable
  @discardableResult
  static func forEach(
    _ node: borrowing RadixNode, from start: Int64, _ base: Int64, _ level: Int, _ body: (Int64, Chunk) -> Bool
  ) -> Bool {
    switch node {
    case .empty: return true
    case .chunk(let chunk): return base < start || body(base, typed(chunk))
    case .inner(let nodes):
      assert(level > 0, "Chunks are at the lowest level.")
      let span: Int64 = 1 << Int64((level - 1) * RadixNode.bits)
      let first = start <= base ? 0 : (start - base) / span
      guard first < Int64(RadixNode.fanOut) else { return true }
      for digit in Int(first)..<RadixNode.fanOut {
        guard forEach(nodes[digit], from: start, base + Int64(digit) * span, level - 1, body) else { return false }
      }
      return true
    }
  }

  @inlinable
  static func last(_ node: borrowing RadixNode, _ base: Int64, _ level: Int) -> (number: Int64, chunk: Chunk)? {
    switch node {
    case .empty: return nil
    case .chunk(let chunk): return (base, typed(chunk))
    case .inner(let nodes):
      for digit in stride(from: RadixNode.fanOut - 1, through: 0, by: -1) {
        if let found = last(nodes[digit], RadixNode.base(base, digit, level), level - 1) { return found }
      }
      return nil
    }
  }

  /// Calls `body` with every number whose chunk differs between `a` and `b`, ascending. Chunks are compared by
  /// identity; a missing chunk is nil. Shared nodes are skipped, so the cost is that of the paths to the differences.
  ///
  /// - Returns: How many nodes and chunks were visited.
  @inlinable
  @discardableResult
  public static func difference(
    from a: RadixTree, to b: RadixTree, _ body: (Int64, Chunk?, Chunk?) throws -> Void
  ) rethrows -> Int {
    var (a, b) = (a, b)
    while a.levels < b.levels { a.grow() }
    while b.levels < a.levels { b.grow() }
    var visited = 0
    try difference(a.root, b.root, 0, a.levels, &visited, body)
    return visited
  }

  @inlinable
  static func difference(
    _ a: borrowing RadixNode, _ b: borrowing RadixNode, _ base: Int64, _ level: Int, _ visited: inout Int,
    _ body: (Int64, Chunk?, Chunk?) throws -> Void
  ) rethrows {
    visited += 1
    assert(level >= 0, "Chunks are at the lowest level.")
    switch (copy a, copy b) {
    case (.empty, .empty): return
    case (.chunk(let old), .chunk(let new)): if old !== new { try body(base, typed(old), typed(new)) }
    case (.chunk(let old), _): try body(base, typed(old), nil)
    case (_, .chunk(let new)): try body(base, nil, typed(new))
    case (.inner(let olds), .inner(let news)):
      if olds.isSameStorage(as: news) { return }
      for digit in 0..<RadixNode.fanOut where !olds[digit].isSame(as: news[digit]) {
        try difference(olds[digit], news[digit], RadixNode.base(base, digit, level), level - 1, &visited, body)
      }
    case (.inner(let olds), .empty):
      for digit in 0..<RadixNode.fanOut where !olds[digit].isEmpty {
        try difference(olds[digit], .empty, RadixNode.base(base, digit, level), level - 1, &visited, body)
      }
    case (.empty, .inner(let news)):
      for digit in 0..<RadixNode.fanOut where !news[digit].isEmpty {
        try difference(.empty, news[digit], RadixNode.base(base, digit, level), level - 1, &visited, body)
      }
    }
  }

  /// Whether some number has a chunk in only one of `a` and `b`, or chunks in both for which `areDifferent` returns
  /// true. Stops at the first difference and skips shared nodes.
  static func differ(_ a: RadixTree, _ b: RadixTree, _ areDifferent: (Chunk, Chunk) -> Bool) -> Bool {
    var (a, b) = (a, b)
    while a.levels < b.levels { a.grow() }
    while b.levels < a.levels { b.grow() }
    return differ(a.root, b.root, areDifferent)
  }

  private static func differ(
    _ a: borrowing RadixNode, _ b: borrowing RadixNode, _ areDifferent: (Chunk, Chunk) -> Bool
  ) -> Bool {
    switch (copy a, copy b) {
    case (.empty, .empty): return false
    case (.chunk(let old), .chunk(let new)): return old !== new && areDifferent(typed(old), typed(new))
    case (.inner(let olds), .inner(let news)):
      if olds.isSameStorage(as: news) { return false }
      for digit in 0..<RadixNode.fanOut where !olds[digit].isSame(as: news[digit]) {
        if differ(olds[digit], news[digit], areDifferent) { return true }
      }
      return false
    // An inner node is never empty.
    default: return true
    }
  }

  /// Every fault of the tree's own shape: inner nodes that have other than eight children, empty inner nodes, chunks at
  /// the wrong height, and a root that is higher than necessary.
  func checkInvariants(_ name: String) -> [String] {
    var faults: [String] = []
    func check(_ node: RadixNode, _ level: Int, _ path: String) {
      switch node {
      case .empty: break
      case .chunk: if level != 0 { faults.append("\(name)\(path): a chunk stands at level \(level).") }
      case .inner(let nodes):
        if level == 0 { faults.append("\(name)\(path): an inner node stands at the level of chunks.") }
        if nodes.count != RadixNode.fanOut { faults.append("\(name)\(path): an inner node has \(nodes.count) slots.") }
        if nodes.allSatisfy(\.isEmpty) { faults.append("\(name)\(path): an inner node is bare.") }
        if level == 0 { return }
        for (digit, child) in nodes.enumerated() { check(child, level - 1, path + "/\(digit)") }
      }
    }
    check(root, levels, "")
    if case .inner(let nodes) = root, nodes.dropFirst().allSatisfy(\.isEmpty) {
      faults.append("\(name): the root is higher than it need be.")
    }
    return faults
  }
}
