import FiefRuntime
import Synchronization

/// Sorts the rows of a table by one column of strings, integers or booleans, and makes an index of them.
///
///     leaves ──▶ number, place … ──▶ parts by number, each sorted by a thread ──▶ values and postings of each
///
/// The number of a cell ascends with its value. An integer is a number itself; see `TextNumbers` for strings. Only
/// strings that have equal numbers are compared.
package struct ColumnSort: Sendable {
  /// A cell. Its place is its slot, below the number of its cluster: places ascend with the keys of the rows.
  private struct Item: BitwiseCopyable {
    let number: UInt64
    let place: UInt64
  }

  /// A part of an index.
  struct Part: Sendable {
    var values = OrderedTree<IndexedValue>()
    var postings: ContiguousArray<(number: Int64, chunk: Posting)> = []
  }

  /// A part that is being made.
  private struct Making {
    /// The number of its first posting.
    let firstPosting: Int64
    var values = OrderedTree<IndexedValue>.Builder()
    var postings: ContiguousArray<(number: Int64, chunk: Posting)> = []

    mutating func finish() -> Part { Part(values: values.finish(), postings: postings) }
  }

  private let type: ColumnType
  private var rows: ContiguousArray<(chunk: Int64, live: Bitmap256, isDense: Bool)> = []
  private var leaves: ContiguousArray<Leaf> = []

  /// Whether the rows of an index are sorted in this way: those of one column of such a type.
  package static func sorts(_ schema: TableSchema, by definition: IndexDefinition) -> Bool {
    guard !definition.isFullText, definition.columns.count == 1 else { return false }
    let kind = schema.column(definition.columns[0])?.type.kind
    return kind == .string || kind == .int || kind == .bool
  }

  /// Takes the column of an index; nil for an index of another kind.
  init?(_ table: Table, _ definition: IndexDefinition) {
    guard Self.sorts(table.schema, by: definition), let leaf = table.schema.leaf(of: definition.columns[0]) else {
      return nil
    }
    type = table.schema.types[leaf]
    table.rows.forEach { chunk, cluster in
      rows.append((chunk, cluster.live, cluster.isDense))
      leaves.append(cluster.leaves[leaf])
      return true
    }
  }

  /// How many rows there are.
  var count: Int { leaves.reduce(0) { $0 + $1.values.count } }

  /// The values and postings of all rows, in parts that follow each other.
  func parts() -> [Part] {
    var (nulls, sizes) = (ContiguousArray<Item>(), ContiguousArray<Int>())
    let items = Mutex(divided(&nulls, &sizes))
    // A posting has two rows or more, so half of the rows before a part is more than the number of a posting there.
    let starts = sizes.reduce(into: [nulls.count]) { $0.append($0[$0.count - 1] + $1) }
    let made = Processors.map(sizes.count) { number in
      var own: ContiguousArray<Item> = []
      items.withLock { swap(&own, &$0[number]) }
      HeapRoom.make(own.count * 24)
      return part(own, from: Int64(starts[number] / 2))
    }
    var first = Making(firstPosting: 0)
    if !nulls.isEmpty { add(nulls[...], to: &first) }
    return [first.finish()] + made
  }

  // MARK: Numbers

  /// Cells in parts, of which each has lower numbers than the next one. Cells that are null are put aside.
  private func divided(
    _ nulls: inout ContiguousArray<Item>, _ sizes: inout ContiguousArray<Int>
  ) -> ContiguousArray<ContiguousArray<Item>> {
    let numbers = numbers()
    var (lowest, highest, count) = (UInt64.max, UInt64.min, 0)
    func forEach(_ body: (Item) -> Void) {
      var start = 0
      for (cluster, leaf) in leaves.enumerated() {
        (Bitmap256(prefix: leaf.values.count) - leaf.nulls).forEach {
          body(Item(number: numbers[start + $0], place: UInt64(cluster) << 8 | UInt64($0)))
        }
        start += leaf.values.count
      }
    }
    for (cluster, leaf) in leaves.enumerated() {
      leaf.nulls.forEach { nulls.append(Item(number: 0, place: UInt64(cluster) << 8 | UInt64($0))) }
    }
    forEach {
      (lowest, highest, count) = (min(lowest, $0.number), max(highest, $0.number), count + 1)
    }
    // Starting threads takes as long as some thousand rows.
    guard count >= 1 << 14, Processors.count > 1 else {
      var all: ContiguousArray<Item> = []
      all.reserveCapacity(count)
      forEach { all.append($0) }
      sizes = [count]
      return [all]
    }
    let shift = UInt64(max(0, UInt64.bitWidth - 10 - (highest - lowest).leadingZeroBitCount))
    var counts = ContiguousArray(repeating: 0, count: 1 << 10)
    forEach { counts[Int(($0.number - lowest) >> shift)] += 1 }
    // More parts than processors, so that one that is done early has something left to do.
    let share = count / (Processors.count * 8) + 1
    var parts: ContiguousArray<Int> = []
    sizes = [0]
    for count in counts {
      if sizes[sizes.count - 1] >= share { sizes.append(0) }
      sizes[sizes.count - 1] += count
      parts.append(sizes.count - 1)
    }
    var divided = ContiguousArray(
      sizes.map { size in
        var part: ContiguousArray<Item> = []
        part.reserveCapacity(size)
        return part
      })
    forEach { divided[parts[Int(($0.number - lowest) >> shift)]].append($0) }
    return divided
  }

  /// A number for each cell, also for those that are null.
  private func numbers() -> ContiguousArray<UInt64> {
    var numbers: ContiguousArray<UInt64> = []
    numbers.reserveCapacity(count)
    var texts = TextNumbers()
    for leaf in leaves {
      guard case .string(let all) = leaf.values else { continue }
      (Bitmap256(prefix: all.count) - leaf.nulls).forEach { texts.note(all[$0]) }
    }
    for leaf in leaves {
      if case .string(let all) = leaf.values {
        for slot in 0..<all.count { numbers.append(leaf.nulls[slot] ? 0 : texts.number(of: all[slot])) }
      } else {
        for integer in Int64.buffer(of: leaf.values) { numbers.append(UInt64(bitPattern: integer) ^ 1 << 63) }
      }
    }
    return numbers
  }

  // MARK: Parts

  private func part(_ items: consuming ContiguousArray<Item>, from firstPosting: Int64) -> Part {
    var part = Making(firstPosting: firstPosting)
    guard let any = items.first else { return part.finish() }
    let differing = items.reduce(0) { $0 | ($1.number ^ any.number) }
    if items.count > 256 {
      DigitSort.sort(&items, differing: differing) { $0.number }
    } else if differing != 0 {
      items.sort { ($0.number, $0.place) < ($1.number, $1.place) }
    }
    var next = 0
    while next < items.count {
      let number = items[next].number
      var end = next + 1
      while end < items.count, items[end].number == number { end += 1 }
      let equal = items[next..<end]
      if equal.count == 1 || type.kind != .string || TextNumbers.isExact(number) {
        add(equal, to: &part)
      } else {
        addCompared(equal, to: &part)
      }
      next = end
    }
    return part.finish()
  }

  /// Adds cells of one number, whose strings may differ.
  private func addCompared(_ items: ArraySlice<Item>, to part: inout Making) {
    var texts = items.map { (text: text($0), item: $0) }
    if !texts.allSatisfy({ ByteOrder.areIdentical($0.text, texts[0].text) }) {
      texts.sort {
        let order = StoredOrder.compare($0.text, $1.text)
        return order != 0 ? order < 0 : $0.item.place < $1.item.place
      }
    }
    var next = 0
    while next < texts.count {
      var end = next + 1
      while end < texts.count, ByteOrder.areIdentical(texts[next].text, texts[end].text) { end += 1 }
      add(ContiguousArray(texts[next..<end].lazy.map(\.item))[...], to: &part)
      next = end
    }
  }

  /// Adds cells of one value, whose places ascend.
  private func add(_ items: ArraySlice<Item>, to part: inout Making) {
    let first = items[items.startIndex].place
    let value = leaves[Int(first >> 8)].value(at: Int(first & 255), as: type)
    var reference = key(first)
    if items.count > 1 {
      var keys: ContiguousArray<Int64> = []
      keys.reserveCapacity(items.count)
      for item in items { keys.append(key(item.place)) }
      let number = part.firstPosting + Int64(part.postings.count)
      part.postings.append((number, Posting(OrderedTree(leaf: keys))))
      reference = ~number
    }
    part.values.append(IndexedValue(value, posting: reference))
  }

  private func text(_ item: Item) -> String {
    guard case .string(let texts) = leaves[Int(item.place >> 8)].values else {
      fatalError("A text is in a leaf of texts.")
    }
    return texts[Int(item.place & 255)]
  }

  private func key(_ place: UInt64) -> Int64 {
    let (rows, slot) = (rows[Int(place >> 8)], Int(place & 255))
    return ObjectKey(chunk: rows.chunk, bit: rows.isDense ? slot : rows.live.select(slot)).rawValue
  }
}
