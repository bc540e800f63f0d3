import FiefGraph

// The machine that runs a program over all rows of a cluster at once. Rows are identified by slots.

extension QueryRun {
  /// The slots among `wanted` whose rows satisfy the program.
  func select(
    _ program: Program, _ table: Table, _ chunk: Int64, _ cluster: Cluster, among wanted: Bitmap256
  ) -> Bitmap256 {
    var current = wanted
    let depth = candidates.count
    var result = Bitmap256()
    var index = 0
    let instructions = program.instructions
    while index < instructions.count {
      switch instructions[index] {
      case .test(let test): result = select(program.tests[test], table, chunk, cluster, among: current)
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
  func select(
    _ test: Test, _ table: Table, _ chunk: Int64, _ cluster: Cluster, among wanted: Bitmap256
  ) -> Bitmap256 {
    assert((wanted - Bitmap256(prefix: cluster.count)).isEmpty, "A cluster has the slots that are tested.")
    switch test {
    case .integers(let column, let range, let isInverted, let ofNull):
      let found = cluster.slots(leaf: column, integersIn: range)
      return Self.adjusted(found, cluster.nulls(leaf: column), isInverted, ofNull) & wanted
    case .numbers(let column, let low, let high, let orNaN, let isInverted, let ofNull):
      return cluster.withLeaf(column) { leaf in
        Self.adjusted(leaf.values.slots(from: low, through: high, orNaN: orNaN), leaf.nulls, isInverted, ofNull)
          & wanted
      }
    case .sameText(let column, let text, let short, let isInverted, let ofNull):
      let found = cluster.slots(leaf: column, equalTo: text, short: short)
      return Self.adjusted(found, cluster.nulls(leaf: column), isInverted, ofNull) & wanted
    case .integerSet(let column, let members, let ofNull):
      let leaf = cluster[leaf: column]
      var result = Bitmap256()
      (wanted - leaf.nulls).forEach { slot in
        if members.contains(Int64.load(from: leaf.values, at: slot)) { result[slot] = true }
      }
      return ofNull ? result | wanted & leaf.nulls : result
    case .text(let column, let matcher, let ofNull):
      return Self.select(matcher, ofNull, cluster, leaf: column, among: wanted)
    case .words(let column, let search):
      let leaf = cluster[leaf: column]
      var result = Bitmap256()
      (wanted - leaf.nulls).forEach { slot in
        if search.matches(String.load(from: leaf.values, at: slot)) { result[slot] = true }
      }
      return result
    case .cell(let column, let type, let matcher):
      let leaf = cluster[leaf: column]
      var result = Bitmap256()
      wanted.forEach { slot in
        if matcher.matches(leaf.value(at: slot, as: type)) { result[slot] = true }
      }
      return result
    case .linked(let hops, let test, let ofNull, let memo):
      return select(linked: hops, test, ofNull, memo, cluster, among: wanted)
    case .general, .subquery:
      var result = Bitmap256()
      wanted.forEach { slot in
        let key = ObjectKey(chunk: chunk, bit: cluster.bit(ofSlot: slot))
        if matches(test, RowLocation(table: table.schema.key, key: key, cluster: cluster, slot: slot)) {
          result[slot] = true
        }
      }
      return result
    }
  }

  /// The slots among `wanted` whose strings satisfy a matcher.
  @inline(__always)
  static func select(
    _ matcher: TextMatcher, _ ofNull: Bool, _ cluster: Cluster, leaf column: Int, among wanted: Bitmap256
  ) -> Bitmap256 {
    let nulls = cluster.nulls(leaf: column)
    let result = matcher.slots(of: cluster, leaf: column, among: wanted - nulls)
    return ofNull ? result | wanted & nulls : result
  }

  /// Inverts the result of a kernel if requested, and sets the result for null cells, which are stored as zeros.
  @inline(__always)
  static func adjusted(_ found: Bitmap256, _ nulls: Bitmap256, _ isInverted: Bool, _ ofNull: Bool) -> Bitmap256 {
    let result = isInverted ? Bitmap256(words: .max, .max, .max, .max) - found : found
    if nulls.isEmpty { return result }
    return ofNull ? result | nulls : result - nulls
  }

  // MARK: Through links

  private func select(
    linked hops: [BoundPath.Hop], _ test: Test, _ ofNull: Bool, _ memo: Int, _ cluster: Cluster,
    among wanted: Bitmap256
  ) -> Bitmap256 {
    guard case .link(let column, let next) = hops[0] else { return Bitmap256() }
    assert(!hops.contains(where: \.isMany), "A linked test follows links to one row.")
    let leaf = cluster[leaf: column]
    switch leaf.values {
    case .int8(let keys): return select(keys, leaf.nulls, next, hops, test, ofNull, memo, wanted)
    case .int16(let keys): return select(keys, leaf.nulls, next, hops, test, ofNull, memo, wanted)
    case .int32(let keys): return select(keys, leaf.nulls, next, hops, test, ofNull, memo, wanted)
    case .int64(let keys): return select(keys, leaf.nulls, next, hops, test, ofNull, memo, wanted)
    default: return Bitmap256()
    }
  }

  @inline(__always)
  private func select<Key: FixedWidthInteger>(
    _ keys: ContiguousArray<Key>, _ nulls: Bitmap256, _ next: TableKey, _ hops: [BoundPath.Hop], _ test: Test,
    _ ofNull: Bool, _ memo: Int, _ wanted: Bitmap256
  ) -> Bitmap256 {
    var result = ofNull ? wanted & nulls : Bitmap256()
    guard let table = graph[hops[hops.count - 1].table] else { return result }
    assert(memos.indices.contains(memo), "A linked test has a memo.")
    // The memo is swapped out during use so that it is mutated in place, without a copy.
    var known = LinkMemo()
    swap(&known, &memos[memo])
    defer { swap(&known, &memos[memo]) }
    if known.isComplete && hops.count == 1 { return result | known.slots(of: keys) & (wanted - nulls) }
    (wanted - nulls).forEach { slot in
      var key = ObjectKey(Int64(truncatingIfNeeded: keys[slot]))
      if hops.count > 1 {
        guard let last = follow(hops, from: key, in: next) else {
          if ofNull { result[slot] = true }
          return
        }
        key = last
      }
      if known.knows(key) ?? learn(test, key, table, &known) { result[slot] = true }
    }
    return result
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
  private func learn(_ test: Test, _ key: ObjectKey, _ table: Table, _ memo: inout LinkMemo) -> Bool {
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
        scan(test, table) { chunk, cluster, slots in
          memo.learn(chunk, slots.spread(to: cluster))
          return true
        }
        memo.close()
        return memo.knows(key) ?? false
      }
    }
    let slots = select(test, table, key.chunk, cluster, among: Bitmap256(prefix: cluster.count))
    memo.learn(key.chunk, slots.spread(to: cluster))
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
