import FiefGraph
import FiefRuntime

// The machine that runs a program over all rows of a cluster at once. Rows are identified by slots.

extension QueryRun {
  /// The slots among `wanted` whose rows satisfy the program.
  func select(
    _ program: Program, in table: Table, chunk: Int64, cluster: Cluster, among wanted: Bitmap256
  ) -> Bitmap256 {
    var current = wanted
    let depth = candidates.count
    var result = Bitmap256()
    var index = 0
    let instructions = program.instructions
    while index < instructions.count {
      switch instructions[index] {
      case .test(let test):
        result = select(program.tests[test], in: table, chunk: chunk, cluster: cluster, among: current)
      case .constant(let value): result = value ? current : Bitmap256()
      case .enterNot: candidates.append(current)
      case .leaveNot:
        current = candidates.removeLast()
        result = current - result
      case .enterAnd: candidates.append(current)
      case .andStep(let end):
        current = result
        if current.isEmpty { index = end - 1 }
      case .leaveAnd: current = candidates.removeLast()
      case .enterOr:
        candidates.append(current)
        candidates.append(Bitmap256())
      case .orStep(let end):
        candidates[candidates.count - 1] = candidates[candidates.count - 1] | result
        current = current - result
        if current.isEmpty { index = end - 1 }
      case .leaveOr:
        result = candidates.removeLast()
        current = candidates.removeLast()
      }
      index += 1
    }
    assert(candidates.count == depth && (result - wanted).isEmpty, "What is selected was a candidate.")
    return result
  }

  /// The slots among `wanted` whose rows satisfy one test. `wanted` is not empty.
  func select(_ test: Test, in table: Table, chunk: Int64, cluster: Cluster, among wanted: Bitmap256) -> Bitmap256 {
    assert((wanted - Bitmap256(prefix: cluster.count)).isEmpty, "A cluster has the slots that are tested.")
    switch test {
    case .integers(let column, let range, let isInverted, let ofNull):
      let found = cluster.slots(leaf: column, integersIn: range)
      return Self.adjusted(found, nulls: cluster.nulls(leaf: column), isInverted: isInverted, ofNull: ofNull) & wanted
    case .numbers(let column, let low, let high, let orNaN, let isInverted, let ofNull):
      return cluster.withLeaf(column) { leaf in
        Self.adjusted(
          leaf.values.slots(from: low, through: high, orNaN: orNaN), nulls: leaf.nulls, isInverted: isInverted,
          ofNull: ofNull)
          & wanted
      }
    case .sameText(let column, let text, let short, let isInverted, let ofNull):
      let found = cluster.slots(leaf: column, equalTo: text, short: short)
      return Self.adjusted(found, nulls: cluster.nulls(leaf: column), isInverted: isInverted, ofNull: ofNull) & wanted
    case .text(let column, let matcher, let ofNull):
      return Self.select(matcher, ofNull: ofNull, cluster: cluster, leaf: column, among: wanted)
    case .cell(let column, let type, let matcher):
      let leaf = cluster[leaf: column]
      return wanted.filter { matcher.matches(leaf.value(at: $0, as: type)) }
    case .linked(let hops, let test, let ofNull, let memo):
      return select(linked: hops, to: test, ofNull: ofNull, memo: memo, cluster: cluster, among: wanted)
    case .integerSet, .general, .subquery:
      return wanted.filter { slot in
        let key = ObjectKey(chunk: chunk, bit: cluster.bit(ofSlot: slot))
        return matches(test, RowLocation(table: table.schema.key, key: key, cluster: cluster, slot: slot))
      }
    }
  }

  /// The slots among `wanted` whose strings satisfy a matcher.
  @inline(__always)
  static func select(
    _ matcher: TextMatcher, ofNull: Bool, cluster: Cluster, leaf column: Int, among wanted: Bitmap256
  ) -> Bitmap256 {
    let nulls = cluster.nulls(leaf: column)
    let result = matcher.slots(of: cluster, leaf: column, among: wanted - nulls)
    return ofNull ? result | wanted & nulls : result
  }

  /// Inverts the result of a kernel if requested, and sets the result for null cells, which are stored as zeros.
  @inline(__always)
  static func adjusted(_ found: Bitmap256, nulls: Bitmap256, isInverted: Bool, ofNull: Bool) -> Bitmap256 {
    let result = isInverted ? Bitmap256(words: .max, .max, .max, .max) - found : found
    if nulls.isEmpty { return result }
    return ofNull ? result | nulls : result - nulls
  }

  // MARK: Through links

  private func select(
    linked hops: [BoundPath.Hop], to test: Test, ofNull: Bool, memo: Int, cluster: Cluster, among wanted: Bitmap256
  ) -> Bitmap256 {
    guard case .link(let column, let next) = hops[0] else { return Bitmap256() }
    assert(!hops.contains(where: \.isMany), "A linked test follows links to one row.")
    let leaf = cluster[leaf: column]
    let nulls = ofNull ? wanted & leaf.nulls : Bitmap256()
    guard let table = graph[hops[hops.count - 1].table] else { return nulls }
    assert(memos.indices.contains(memo), "A linked test has a memo.")
    // The memo is swapped out during use so that it is mutated in place, without a copy.
    var known = LinkMemo()
    swap(&known, &memos[memo])
    defer { swap(&known, &memos[memo]) }
    return nulls
      | (wanted - leaf.nulls).filter { slot in
        var key = ObjectKey(Int64.load(from: leaf.values, at: slot))
        if hops.count > 1 {
          guard let last = follow(hops, from: key, in: next) else { return ofNull }
          key = last
        }
        return known.knows(key) ?? find(test, key, of: table, into: &known)
      }
  }

  /// The row at the end of the links after the first, whose target is `key` of `table`; nil when a link is null.
  private func follow(_ hops: [BoundPath.Hop], from key: ObjectKey, in table: TableKey) -> ObjectKey? {
    var (key, table) = (key, table)
    assert(hops.count > 1, "The first link was read.")
    for hop in hops.dropFirst() {
      guard case .link(let leaf, let next) = hop, let number = graph[table]?.load(Int64.self, key, leaf: leaf) else {
        return nil
      }
      (key, table) = (ObjectKey(number), next)
    }
    return key
  }

  /// Whether a row satisfies a test of its own cells. The whole cluster is tested and its result stored in the memo.
  private func find(_ test: Test, _ key: ObjectKey, of table: Table, into memo: inout LinkMemo) -> Bool {
    guard let cluster = table.rows[key.chunk] else { return false }
    // If most keys of the table were deleted, the memo would be larger than the table. Then no result is stored.
    guard ShortCut.linkMemos.isOn, table.nextKey >> 8 <= Int64(table.count) + 4096 else {
      return location(of: key, in: table.schema.key).map { matches(test, $0) } ?? false
    }
    if !memo.isOpen {
      let clusters = Int(table.nextKey >> 8) + 1
      ShortCut.linkMemos.taken()
      memo.open(clusters: clusters)
      // If nearly all clusters will be needed, all are tested in order, which reads memory sequentially.
      if scanned >= 4 * clusters {
        scan(test, in: table) { chunk, cluster, slots in
          memo.keep(chunk, slots.spread(to: cluster))
          return true
        }
        return memo.knows(key) ?? false
      }
    }
    let slots = select(test, in: table, chunk: key.chunk, cluster: cluster, among: Bitmap256(prefix: cluster.count))
    memo.keep(key.chunk, slots.spread(to: cluster))
    assert(memo.knows(key) != nil, "The cluster of the row was tested.")
    return memo.knows(key) ?? false
  }
}

extension Bitmap256 {
  /// Converts a bitmap of a cluster's slots to a bitmap of its bits.
  func spread(to cluster: Cluster) -> Bitmap256 {
    if cluster.live == Bitmap256(prefix: cluster.count) || isEmpty { return self }
    assert((self - Bitmap256(prefix: cluster.count)).isEmpty, "A cluster has the slots.")
    var result = Bitmap256()
    var slot = 0
    cluster.live.forEach { bit in
      if self[slot] { result[bit] = true }
      slot += 1
    }
    return result
  }
}
