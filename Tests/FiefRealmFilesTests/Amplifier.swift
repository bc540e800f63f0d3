import FiefRealmFileSamples

/// Files that become much more in memory than they are: each of a form in which an element takes few bytes, or none.
enum Amplifier: String, CaseIterable {
  case nulls, zeros, booleans, emptyStrings, enumeratedStrings, anyValues, moments, decimals, linksToOne, emptyLists
  case listsOfZeros, hugeList, smallLists, dictionaries, nests, smallClusters, indexed, tables, columns

  private typealias Column = RealmFileWriter.Column
  private static let nullable: Int64 = 16, list: Int64 = 32, dictionary: Int64 = 64

  /// A file of about `size` bytes.
  ///
  /// - Parameter isDamaged: whether the last node that is read is not in the file.
  func file(of size: Int, isDamaged: Bool = false) -> ContiguousArray<UInt8> {
    var writer = RealmFileWriter()
    var tables = tables(&writer, size)
    if isDamaged {
      let rows = writer.refs([writer.tagged(1), 1 << 40])
      tables.append(("class_Z", writer.table(key: 1 << 30, [Column("z", 0)], rows: rows)))
    }
    return writer.finish(top: writer.group(tables))
  }

  private func tables(_ writer: inout RealmFileWriter, _ size: Int) -> [(name: String, ref: Int64)] {
    switch self {
    case .nulls: return wide(&writer, size, Column("s", 2, Self.nullable), count: 8) { $0.shortStrings(nils(256)) }
    case .zeros: return wide(&writer, size, Column("n", 0), count: 8) { $0.integers(zeros(256)) }
    case .booleans: return wide(&writer, size, Column("b", 1), count: 8) { $0.integers(ones(256)) }
    case .emptyStrings:
      return wide(&writer, size, Column("s", 2, Self.nullable), count: 1) { writer in
        writer.raw(zeros(256).map { _ in 0 }, count: 256, width: 1, scheme: .multiple)
      }
    case .enumeratedStrings:
      return wide(&writer, size, Column("s", 2), count: 1, enumerations: ["", "one"]) { $0.integers(ones(256)) }
    case .anyValues:
      // 1 is the integer 0.
      return wide(&writer, size, Column("a", 6, Self.nullable), count: 1) { $0.refs([$0.integers(ones(256))]) }
    case .moments:
      return wide(&writer, size, Column("d", 8), count: 1) { writer in
        writer.refs([writer.integers([0] + ones(256)), writer.integers(zeros(256))])
      }
    case .decimals:
      return wide(&writer, size, Column("d", 11), count: 8) { writer in
        writer.raw([], count: 256, width: 0, scheme: .multiple, isFlagged: true)
      }
    case .linksToOne:
      return wide(&writer, size, Column("l", 12, Self.nullable, opposite: 3), count: 1) { $0.integers(ones(256)) }
    case .emptyLists: return wide(&writer, size, Column("l", 0, Self.list), count: 8) { $0.integers(zeros(256)) }
    case .listsOfZeros:
      return wide(&writer, size, Column("l", 0, Self.list), count: 1) { writer in
        writer.refs((0..<256).map { _ in writer.integers(zeros(1000)) })
      }
    case .hugeList:
      return wide(&writer, size, Column("l", 0, Self.list), count: 1) { writer in
        writer.refs([writer.raw([], count: (1 << 24) - 1, width: 0, scheme: .bits)] + zeros(255))
      }
    case .smallLists:
      return wide(&writer, size, Column("l", 0, Self.list), count: 1) { writer in
        writer.refs((0..<256).map { writer.integers([Int64($0), 1]) })
      }
    case .dictionaries:
      return wide(&writer, size, Column("m", 0, Self.dictionary), count: 1) { writer in
        writer.refs(
          (0..<256).map { _ in
            writer.refs([writer.shortStrings(["k"]), writer.refs([writer.integers([1])])])
          })
      }
    case .nests:
      return wide(&writer, size, Column("a", 6, Self.nullable), count: 1) { writer in
        // An empty list in each.
        writer.refs([writer.integers(zeros(256).map { _ in 20 | 4 << 5 }), 0, 0, 0, writer.refs([0])])
      }
    case .smallClusters: return smallClusters(&writer, size)
    case .indexed: return wide(&writer, size, Column("n", 0, 1), count: 8) { $0.integers(zeros(256)) }
    case .tables:
      return (0..<size / 140).map { index in
        let rows = writer.refs([writer.tagged(0)])
        return ("class_\(index)", writer.table(key: Int64(index), [], rows: rows))
      }
    case .columns:
      let rows = writer.refs([writer.tagged(0)])
      let columns = (0..<min(size / 20, 65_000)).map { Column("c\($0)", 0) }
      return [("class_A", writer.table(key: 3, columns, rows: rows))]
    }
  }

  private func zeros(_ count: Int) -> [Int64] { [Int64](repeating: 0, count: count) }
  private func ones(_ count: Int) -> [Int64] { [Int64](repeating: 1, count: count) }
  private func nils(_ count: Int) -> [String?] { [String?](repeating: nil, count: count) }

  /// A table with `count` equal columns, and as many rows as fit.
  private func wide(
    _ writer: inout RealmFileWriter, _ size: Int, _ column: Column, count: Int, enumerations: [String?] = [],
    _ leaf: (inout RealmFileWriter) -> Int64
  ) -> [(name: String, ref: Int64)] {
    let before = writer.size
    _ = leaf(&writer)
    let perCluster = (writer.size - before) * count + 16 + 4 * count + 8
    let columns = (0..<count).map { index in
      var column = column
      column.name += "\(index)"
      return column
    }
    let rows = writer.clusters(of: max(1, size / perCluster) * 256) { writer, _ in
      (0..<count).map { _ in leaf(&writer) }
    }
    let strings = enumerations.isEmpty ? [] : [writer.shortStrings(enumerations)]
    let table = writer.table(key: 3, columns, rows: rows, enumerations: strings)
    return [("class_A", table)]
  }

  /// Clusters of one row and no columns, below inner nodes.
  private func smallClusters(
    _ writer: inout RealmFileWriter, _ size: Int
  ) -> [(name: String, ref: Int64)] {
    let inner = (0..<max(1, size / (256 * 20))).map { _ in
      writer.refs(
        [0, writer.tagged(1), writer.tagged(256)] + (0..<256).map { _ in writer.refs([writer.tagged(1)]) },
        isInner: true)
    }
    let root = writer.refs(
      [0, writer.tagged(2), writer.tagged(256 * Int64(inner.count))] + inner, isInner: true)
    return [("class_A", writer.table(key: 3, [], rows: root))]
  }
}
