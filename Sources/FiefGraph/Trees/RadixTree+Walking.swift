import FiefRuntime

extension RadixTree {
  /// Calls `body` with the chunks from a number on, in ascending order of numbers, until it returns false. Linear.
  ///
  /// - Returns: Whether `body` returned true for every chunk.
  @inlinable
  @discardableResult
  public func forEach(from start: Int64 = 0, _ body: (Int64, Chunk) throws -> Bool) rethrows -> Bool {
    try forEachBorrowed(from: start) { try body($0, $1.counted) }
  }

  /// `forEach` without counting references: this tree holds the chunks for the duration of the call.
  ///
  /// `body` opens the references itself: a chunk that is passed to a closure that the compiler does not see is
  /// retained.
  ///
  /// - Returns: Whether `body` returned true for every chunk.
  @inlinable
  @inline(__always)
  @discardableResult
  package func forEachBorrowed(
    from start: Int64 = 0, _ body: (Int64, Borrowed<Chunk>) throws -> Bool
  ) rethrows -> Bool {
    try withExtendedLifetime(root) {
      try unsafe Self.forEachBorrowed(below: root.below, at: 0, level: levels, from: start, body)
    }
  }

  @inlinable
  static func forEachBorrowed(
    below node: RadixNode.View, at base: Int64, level: Int, from start: Int64,
    _ body: (Int64, Borrowed<Chunk>) throws -> Bool
  ) rethrows -> Bool {
    switch unsafe node {
    case .empty: return true
    case .chunk(let chunk): return try base < start || body(base, typed(chunk))
    case .inner(let nodes):
      assert(level > 0, "Chunks are at the lowest level.")
      let first = start <= base ? 0 : (start - base) >> Int64((level - 1) * RadixNode.bits)
      for digit in Int(min(first, Int64(RadixNode.fanOut)))..<RadixNode.fanOut {
        let isDone = try unsafe forEachBorrowed(
          below: nodes[digit].below, at: RadixNode.base(of: digit, below: base, level: level), level: level - 1,
          from: start, body)
        if !isDone { return false }
      }
      return true
    }
  }

  /// The chunk with the lowest number from `number` on, or nil.
  @inlinable
  public func next(from number: Int64) -> (number: Int64, chunk: Chunk)? {
    var found: (number: Int64, chunk: Chunk)?
    forEach(from: number) {
      found = ($0, $1)
      return false
    }
    return found
  }

  /// The chunk with the highest number, or nil.
  @inlinable
  public var last: (number: Int64, chunk: Chunk)? {
    var (node, base, level) = (root, Int64(0), levels)
    while case .inner(let nodes) = node, let digit = nodes.lastIndex(where: { !$0.isEmpty }) {
      (node, base, level) = (nodes[digit], RadixNode.base(of: digit, below: base, level: level), level - 1)
    }
    guard case .chunk(let chunk) = node else { return nil }
    return (base, Self.typed(chunk))
  }

  /// Calls `body` with every number whose chunk differs between `a` and `b`, ascending, until it returns false. Chunks
  /// are compared by identity; a missing chunk is nil. Shared nodes are skipped, so the cost is that of the paths to
  /// the differences.
  ///
  /// - Returns: How many nodes and chunks were visited.
  @inlinable
  @discardableResult
  public static func difference(
    from a: RadixTree, to b: RadixTree, _ body: (Int64, Chunk?, Chunk?) throws -> Bool
  ) rethrows -> Int {
    var (a, b) = (a, b)
    while a.levels < b.levels { a.grow() }
    while b.levels < a.levels { b.grow() }
    var visited = 0
    _ = try difference(from: a.root, to: b.root, at: 0, level: a.levels, visited: &visited, body)
    return visited
  }

  /// - Returns: Whether `body` returned true for every difference.
  @inlinable
  static func difference(
    from a: borrowing RadixNode, to b: borrowing RadixNode, at base: Int64, level: Int, visited: inout Int,
    _ body: (Int64, Chunk?, Chunk?) throws -> Bool
  ) rethrows -> Bool {
    visited += 1
    assert(level >= 0, "Chunks are at the lowest level.")
    switch (copy a, copy b) {
    case (.empty, .empty): return true
    case (.chunk(let old), .chunk(let new)): return try old === new || body(base, typed(old), typed(new))
    case (.chunk(let old), _): return try body(base, typed(old), nil)
    case (_, .chunk(let new)): return try body(base, nil, typed(new))
    default:
      let (olds, news) = (a.children, b.children)
      if olds.isSameStorage(as: news) { return true }
      for digit in 0..<RadixNode.fanOut where !olds[digit].isSame(as: news[digit]) {
        let isDone = try difference(
          from: olds[digit], to: news[digit], at: RadixNode.base(of: digit, below: base, level: level),
          level: level - 1, visited: &visited, body)
        if !isDone { return false }
      }
      return true
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
