import FiefRealmFileSamples

/// Files whose only fault is in the last thing that is read.
enum LateForgery: String, CaseIterable {
  case sharedNode, cycle, outside, hugeCount, cutShort
  case danglingLink, numberTwice, textTwice, nullTwice, identifierTwice, longTextTwice
  case keyOfDictionaryTwice, secondOwner, noOwner, nestedList, enumeratedKeyTwice, invalidText

  private typealias Column = RealmFileWriter.Column
  private static let nullable: Int64 = 16, list: Int64 = 32, dictionary: Int64 = 64

  /// A file of `count` objects or more.
  func file(of count: Int) -> ContiguousArray<UInt8> {
    var writer = RealmFileWriter()
    let last = count - 1
    switch self {
    case .sharedNode, .cycle, .outside, .hugeCount, .cutShort: return node(&writer, count)
    case .danglingLink:
      return table(&writer, count, [Column("l", 12, Self.nullable, opposite: 3)]) { writer, range in
        [writer.integers(range.map { $0 == last ? Int64(count) + 1 : Int64($0 * 7 % count) + 1 })]
      }
    case .numberTwice:
      return table(&writer, count, [Column("k", 0)], primaryKey: 0) { writer, range in
        [writer.integers(range.map { Int64(scattered($0 == last ? 1 : $0)) })]
      }
    case .textTwice: return texts(&writer, count) { "\(scattered($0 == last ? 1 : $0))" }
    case .longTextTwice: return texts(&writer, count) { "a text that is longer, \(scattered($0 == last ? 1 : $0))" }
    case .nullTwice: return texts(&writer, count) { $0 == last || $0 == 0 ? nil : "\(scattered($0))" }
    case .invalidText:
      return table(&writer, count / 256, [Column("k", 2)], primaryKey: 0) { writer, range in
        let bytes = range.map { index in
          [UInt8](repeating: 0xFF, count: index == 0 || index == count / 256 - 1 ? 4000 : 2000 + index) + [0]
        }
        var end = 0
        let ends = bytes.map { part in
          end += part.count
          return Int64(end)
        }
        return [writer.refs([writer.integers(ends), writer.raw(bytes.joined(), count: end, width: 1, scheme: .bytes)])]
      }
    case .identifierTwice:
      return table(&writer, count, [Column("k", 17)], primaryKey: 0) { writer, range in
        var bytes: [UInt8] = []
        for (position, index) in range.enumerated() {
          if position % 8 == 0 { bytes.append(0) }
          let number = scattered(index == last ? 1 : index)
          for byte in 0..<16 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * (byte % 4)))) }
        }
        return [writer.raw(bytes, count: bytes.count, width: 1, scheme: .multiple)]
      }
    case .enumeratedKeyTwice:
      // The strings are many, and one of them is there twice.
      let strings = writer.shortStrings((0..<count).map { $0 == last ? "a string of the column 1" : text($0) })
      let rows = writer.clusters(of: count) { writer, range in [writer.integers(range.map(Int64.init))] }
      let made = writer.table(key: 3, [Column("k", 2)], rows: rows, primaryKey: 0, enumerations: [strings])
      return writer.finish(top: writer.group([("class_A", made)]))
    case .keyOfDictionaryTwice: return dictionary(&writer, count)
    case .secondOwner, .noOwner: return owners(&writer, count)
    case .nestedList:
      // All cells are lists of lists, and the last holds a value of an unknown type.
      return table(&writer, count / 256, [Column("a", 6, Self.nullable)]) { writer, range in
        let cells = range.map { index in
          let inner = (0..<256).map { position in
            let isLast = index == count / 256 - 1 && position == 255
            return writer.refs([writer.integers([isLast ? 32 : 1])])
          }
          let kinds = (0..<256).map { Int64($0) << 8 | 4 << 5 | 20 }
          return writer.refs([writer.integers(kinds), 0, 0, 0, writer.refs(inner)])
        }
        let kinds = cells.indices.map { Int64($0) << 8 | 4 << 5 | 20 }
        return [writer.refs([writer.integers(kinds), 0, 0, 0, writer.refs(cells)])]
      }
    }
  }

  private func text(_ index: Int) -> String { "a string of the column \(index)" }

  /// Different numbers for different ones, that do not ascend.
  private func scattered(_ index: Int) -> UInt32 { UInt32(truncatingIfNeeded: index) &* 2_654_435_761 }

  private func table(
    _ writer: inout RealmFileWriter, _ count: Int, _ columns: [Column], primaryKey: Int? = nil,
    _ leaves: (inout RealmFileWriter, Range<Int>) -> [Int64]
  ) -> ContiguousArray<UInt8> {
    let rows = writer.clusters(of: count, leaves)
    let table = writer.table(key: 3, columns, rows: rows, primaryKey: primaryKey)
    return writer.finish(top: writer.group([("class_A", table)]))
  }

  private func texts(
    _ writer: inout RealmFileWriter, _ count: Int, _ key: (Int) -> String?
  ) -> ContiguousArray<UInt8> {
    table(&writer, count, [Column("k", 2, Self.nullable)], primaryKey: 0) { [$0.shortStrings($1.map(key))] }
  }

  /// The last node of the last cluster is forged.
  private func node(_ writer: inout RealmFileWriter, _ count: Int) -> ContiguousArray<UInt8> {
    var first: Int64 = 0
    let bytes = table(&writer, count, [Column("name", 2), Column("age", 0)]) { writer, range in
      var names = writer.shortStrings(range.map { "dog \($0)" })
      let ages = writer.integers(range.map { Int64($0 % 20) })
      if range.lowerBound == 0 { first = names }
      if range.upperBound == count {
        switch self {
        case .sharedNode: names = first
        case .cycle: names = Int64(writer.size)
        case .outside: names = 1 << 40
        case .hugeCount: names = writer.raw([], count: (1 << 24) - 1, width: 0, scheme: .multiple)
        default: names = writer.shortStrings(range.dropLast().map { "dog \($0)" })
        }
      }
      return [names, ages]
    }
    return bytes
  }

  /// One dictionary with all keys.
  private func dictionary(_ writer: inout RealmFileWriter, _ count: Int) -> ContiguousArray<UInt8> {
    table(&writer, 1, [Column("m", 2 << 16, Self.dictionary)]) { writer, _ in
      func tree(_ leaf: (inout RealmFileWriter, Range<Int>) -> Int64) -> Int64 {
        var level = stride(from: 0, to: count, by: 256).map { start in
          let range = start..<min(start + 256, count)
          return (ref: leaf(&writer, range), count: range.count)
        }
        while level.count > 1 {
          level = stride(from: 0, to: level.count, by: 256).map { start in
            let children = level[start..<min(start + 256, level.count)]
            let total = children.reduce(0) { $0 + $1.count }
            let refs = [writer.tagged(256)] + children.map(\.ref) + [writer.tagged(Int64(total))]
            return (writer.refs(refs, isInner: true), total)
          }
        }
        return level[0].ref
      }
      let keys = tree { writer, range in writer.shortStrings(range.map { "\(scattered($0 == count - 1 ? 1 : $0))" }) }
      let values = tree { writer, range in writer.refs([writer.integers(range.map { _ in 1 })]) }
      return [writer.refs([writer.refs([keys, values])])]
    }
  }

  /// The last of the embedded objects has two owners, or none.
  private func owners(_ writer: inout RealmFileWriter, _ count: Int) -> ContiguousArray<UInt8> {
    let rows = writer.clusters(of: count) { writer, range in
      [
        writer.integers(
          range.map { index in
            if index < count - 1 { return Int64(index) + 1 }
            return self == .noOwner ? 0 : Int64(index)
          })
      ]
    }
    let owners = writer.table(key: 3, [Column("home", 12, Self.nullable, opposite: 4)], rows: rows)
    let homes = writer.clusters(of: count) { writer, range in [writer.integers(range.map { Int64($0 % 5) })] }
    let embedded = writer.table(key: 4, [Column("n", 0)], rows: homes, kind: 1)
    return writer.finish(top: writer.group([("class_A", owners), ("class_B", embedded)]))
  }
}
