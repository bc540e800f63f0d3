import FiefGraph
import FiefRealmFileSamples
import FiefTestSupport
import FiefValues
import Foundation

/// A file of Realm with random values of every type, and what must be read of it.
///
///     header ──▶ format, number of rows, form of the clusters, seed ──▶ bytes
///                                                              └──▶ the value of each cell
struct RealmFileSample {
  private(set) var bytes: ContiguousArray<UInt8> = []
  /// The expected cells: for each column its name, and for each row its value, or the elements of its collection.
  private(set) var columns: [(name: String, cells: [Cell])] = []
  /// The number of rows.
  let count: Int
  private let format: UInt8
  private let perCluster: Int
  private let isSparse: Bool

  /// The contents that a cell must have.
  enum Cell {
    case value(Value)
    case list([Value])
    case set([Value])
    case dictionary([(String, Value)])
    /// An any-value that is a list.
    case nested([Value])
  }

  /// The header of an input: five bytes.
  init(_ header: [Int]) {
    format = UInt8(10 + header[0] % 15)
    count = header[1] % 13
    perCluster = 1 + header[2] % 6
    isSparse = header[2] & 128 != 0
    var random = SeededRandom(seed: UInt64(header[3] | header[4] << 8))
    write(&random)
  }

  /// The key of a row in the graph.
  func key(_ row: Int) -> ObjectKey { ObjectKey(chunk: Int64(row / perCluster), bit: row % perCluster) }

  /// The key of a row in the file.
  private func fileKey(_ row: Int) -> Int64 {
    Int64(row / perCluster * 1000 + row % perCluster * (isSparse ? 3 : 1))
  }

  // MARK: Writing

  /// A column while it is written: the leaf of some rows.
  private struct Source {
    let column: RealmFileWriter.Column
    let cells: [Cell]
    let leaf: (inout RealmFileWriter, Range<Int>) -> Int64
  }

  private static let nullable: Int64 = 16, list: Int64 = 32, dictionary: Int64 = 64, set: Int64 = 128

  private mutating func write(_ random: inout SeededRandom) {
    var sources = numbers(&random) + texts(&random) + moments(&random) + identifiers(&random)
    let (next, backlinks) = links(&random, position: sources.count)
    // Columns of backlinks come last.
    sources += [next] + collections(&random) + [backlinks]
    var writer = RealmFileWriter(format: format)
    var leaves: [Int64] = []
    var starts: [Int64] = []
    for start in stride(from: 0, to: max(count, 1), by: perCluster) {
      let range = start..<min(start + perCluster, count)
      let refs = sources.map { $0.leaf(&writer, range) }
      let keys =
        isSparse ? writer.integers(range.map { fileKey($0) - fileKey(start) }) : writer.tagged(Int64(range.count))
      leaves.append(writer.refs([keys] + refs))
      starts.append(fileKey(start))
    }
    var rows = leaves[0]
    if leaves.count > 1 {
      let offsets = writer.integers(starts)
      rows = writer.refs([offsets, writer.tagged(1), writer.tagged(Int64(count))] + leaves, isInner: true)
    }
    // Rows of deleted objects have negative keys.
    let tombstones = format < 20 ? 0 : writer.refs([writer.unsigned((0..<256).map { .max - 1000 + $0 })])
    let table = writer.table(
      key: 3, sources.map(\.column), rows: rows, primaryKey: 0, kind: format < 20 ? nil : 0, tombstones: tombstones)
    let metadata = writer.metadata(key: 1, version: 5)
    bytes = writer.finish(top: writer.group([("metadata", metadata), ("class_All", table)]))
    columns = sources.filter { $0.column.type != 14 }.map { ($0.column.name, $0.cells) }
  }

  private func column(
    _ name: String, _ type: Int64, _ attributes: Int64 = 0, _ values: [Value],
    _ leaf: @escaping (inout RealmFileWriter, ArraySlice<Value>) -> Int64
  ) -> Source {
    Source(column: .init(name, type, attributes), cells: values.map(Cell.value)) { leaf(&$0, values[$1]) }
  }

  /// Values, of which some are null.
  private func some(_ random: inout SeededRandom, _ value: (inout SeededRandom) -> Value) -> [Value] {
    (0..<count).map { _ in random.below(4) == 0 ? .null : value(&random) }
  }

  private func all(_ random: inout SeededRandom, _ value: (inout SeededRandom) -> Value) -> [Value] {
    (0..<count).map { _ in value(&random) }
  }

  private static func integer(_ value: Value) -> Int64? { if case .int(let number) = value { number } else { nil } }

  private func numbers(_ random: inout SeededRandom) -> [Source] {
    let edges: [Int64] = [0, 1, 3, 15, 16, 127, -1, -128, 255, 32767, -32768, 1 << 31, -1 << 31, .max, .min]
    let limit = 1 + random.below(edges.count)
    let integers = some(&random) { .int(edges[$0.below(limit)]) }
    let bools = some(&random) { .bool($0.bool()) }
    let floats = some(&random) { .float(Float($0.below(1000)) / 8 - 60) }
    let doubles = all(&random) { .double(Double($0.below(1000)) / 8 - 60) }
    let decimals = some(&random) { random in
      .decimal(Decimal128(bitPatternHigh: 0x3040 << 48, low: UInt64(random.below(100_000))))
    }
    // The primary key ascends; the marker of null is a number that no row has.
    let keys = (0..<count).map { Value.int(Int64($0 * 7) - 3) }
    return [
      column("id", 0, 0, keys) { $0.integers($1.compactMap(Self.integer)) },
      column("n", 0, Self.nullable, integers) { writer, values in
        writer.integers([77] + values.map { Self.integer($0) ?? 77 })
      },
      column("b", 1, Self.nullable, bools) { writer, values in
        writer.integers(
          values.map { value -> Int64 in
            if case .bool(let bool) = value { bool ? 1 : 0 } else { 3 }
          })
      },
      column("f", 9, Self.nullable, floats) { writer, values in
        let bits = values.map { value -> UInt32 in
          if case .float(let float) = value { float.bitPattern } else { 0x7FC0_00AA }
        }
        return writer.raw(bits.flatMap { bytes(UInt64($0), 4) }, count: values.count, width: 4, scheme: .multiple)
      },
      column("d", 10, 0, doubles) { writer, values in
        let bits = values.map { value -> UInt64 in if case .double(let double) = value { double.bitPattern } else { 0 }
        }
        return writer.raw(bits.flatMap { bytes($0, 8) }, count: values.count, width: 8, scheme: .multiple)
      },
      column("dec", 11, Self.nullable, decimals) { writer, values in
        let parts = values.map { value -> (UInt64, UInt64) in
          if case .decimal(let decimal) = value { (decimal.low, decimal.high) } else { (0xAA, 0x7C00 << 48) }
        }
        return writer.raw(
          parts.flatMap { bytes($0.0, 8) + bytes($0.1, 8) }, count: values.count, width: 16, scheme: .multiple)
      },
    ]
  }

  private func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  private static func text(_ random: inout SeededRandom) -> String {
    let parts = ["a", "Z", "ö", "日", "😀", " ", "x1", "e\u{301}"]
    return (0..<random.below(12)).map { _ in parts[random.below(parts.count)] }.joined()
  }

  private func texts(_ random: inout SeededRandom) -> [Source] {
    let strings = some(&random) { .string(Self.text(&$0)) }
    let data = some(&random) { .data(Data($0.bytes(count: $0.below(40)))) }
    func utf8(_ value: Value) -> [UInt8]? { if case .string(let text) = value { Array(text.utf8) + [0] } else { nil } }
    func plain(_ value: Value) -> [UInt8]? { if case .data(let data) = value { Array(data) } else { nil } }
    return [
      column("short", 2, Self.nullable, strings) { writer, values in
        writer.shortStrings(values.map { value -> String? in if case .string(let text) = value { text } else { nil } })
      },
      column("medium", 2, Self.nullable, strings) { $0.medium($1.map(utf8)) },
      column("big", 2, Self.nullable, strings) { $0.big($1.map(utf8)) },
      column("data", 4, Self.nullable, data) { $0.medium($1.map(plain)) },
      column("bigdata", 4, Self.nullable, data) { $0.big($1.map(plain)) },
    ]
  }

  private func moments(_ random: inout SeededRandom) -> [Source] {
    let moments = some(&random) { random in
      // Before 1970 both parts are negative.
      let sign: Int64 = random.bool() ? -1 : 1
      return .date(
        Timestamp(
          seconds: sign * Int64(random.below(1 << (4 * (1 + random.below(8))))),
          nanoseconds: sign * Int64(random.below(4) == 0 ? random.below(1_000_000_000) : 0)))
    }
    return [
      column("date", 8, Self.nullable, moments) { writer, values in
        var (seconds, parts): ([Int64], [Int64]) = ([1 << 50], [])
        for value in values {
          guard case .date(let moment) = value else {
            seconds.append(1 << 50)
            parts.append(0)
            continue
          }
          // The product keeps the nanoseconds positive.
          let isShifted = moment.seconds < 0 && moment.nanoseconds > 0
          seconds.append(isShifted ? moment.seconds + 1 : moment.seconds)
          parts.append(Int64(moment.nanoseconds) - (isShifted ? 1_000_000_000 : 0))
        }
        return writer.refs([writer.integers(seconds), writer.integers(parts)])
      }
    ]
  }

  private func identifiers(_ random: inout SeededRandom) -> [Source] {
    let ids = some(&random) { random in
      .objectId(ObjectId(words: UInt32(random.below(1 << 31)), UInt32(random.below(99)), UInt32(random.below(1 << 30))))
    }
    let uuids = some(&random) {
      .uuid($0.bytes(count: 16).withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    }
    return [
      column("oid", 15, Self.nullable, ids) { writer, values in
        writer.blocks(
          values.map { value -> [UInt8]? in
            guard case .objectId(let id) = value else { return nil }
            return (0..<12).map { UInt8(id.stringValue.dropFirst(2 * $0).prefix(2), radix: 16) ?? 0 }
          }, of: 12)
      },
      column("uuid", 17, Self.nullable, uuids) { writer, values in
        writer.blocks(
          values.map { value -> [UInt8]? in
            guard case .uuid(let uuid) = value else { return nil }
            return withUnsafeBytes(of: uuid.uuid) { Array($0) }
          }, of: 16)
      },
    ]
  }

  private func link(_ row: Int) -> Value { .link(ObjectLink(TableKey(rawValue: 2), key(row))) }

  /// A column of links at a position among all columns, and the column of their backlinks.
  private func links(_ random: inout SeededRandom, position: Int) -> (Source, Source) {
    let targets: [Int?] = (0..<count).map { _ in random.below(3) == 0 ? nil : random.below(count) }
    let next = RealmFileWriter.Column("next", 12, Self.nullable, opposite: 3)
    return (
      Source(column: next, cells: targets.map { .value($0.map(link) ?? .null) }) { writer, range in
        writer.integers(range.map { targets[$0].map { fileKey($0) + 1 } ?? 0 })
      },
      Source(
        column: .init("", 14, opposite: 3, oppositeColumn: next.key(position)), cells: []
      ) { writer, range in
        let elements = range.map { row -> Int64 in
          let origins = targets.indices.filter { targets[$0] == row }.map(fileKey)
          return origins.isEmpty ? 0 : origins.count == 1 ? writer.tagged(origins[0]) : writer.integers(origins)
        }
        return writer.refs(elements)
      }
    )
  }

  private func collections(_ random: inout SeededRandom) -> [Source] {
    func lists(_ value: (inout SeededRandom) -> Value) -> [[Value]] {
      (0..<count).map { _ in (0..<random.below(5)).map { _ in value(&random) } }
    }
    let numbers = lists { .int(Int64($0.below(300)) - 100) }
    let rows = (0..<count).map { _ in (0..<random.below(4)).map { _ in random.below(count) } }
    let words = (0..<count).map { _ in (0..<random.below(4)).map { "w\($0)" } }
    let maps = (0..<count).map { _ in (0..<random.below(4)).map { ("k\($0)", Int64(random.below(1 << 30))) } }
    let anys = some(&random) { $0.bool() ? .int(Int64($0.below(1000))) : .string(Self.text(&$0)) }
    let nests = (0..<count).map { _ in (0..<random.below(3)).map { _ in Int64(random.below(100)) } }
    func cells(_ writer: inout RealmFileWriter, _ range: Range<Int>, _ ref: (inout RealmFileWriter, Int) -> Int64?)
      -> Int64
    {
      writer.refs(range.map { ref(&writer, $0) ?? 0 })
    }
    let isOld = format < 12
    return [
      Source(column: .init("ints", 0, Self.list), cells: numbers.map(Cell.list)) { writer, range in
        cells(&writer, range) { writer, row in
          numbers[row].isEmpty ? nil : writer.tree(numbers[row].compactMap(Self.integer))
        }
      },
      Source(
        column: .init("rows", isOld ? 13 : 12, isOld ? 0 : Self.list, opposite: 3),
        cells: rows.map { .list($0.map(link)) }
      ) { writer, range in
        cells(&writer, range) { writer, row in rows[row].isEmpty ? nil : writer.integers(rows[row].map(fileKey)) }
      },
      Source(column: .init("words", 2, Self.set), cells: words.map { .set($0.map(Value.string)) }) { writer, range in
        cells(&writer, range) { writer, row in words[row].isEmpty ? nil : writer.shortStrings(words[row].reversed()) }
      },
      Source(
        column: .init("map", 0, Self.dictionary), cells: maps.map { .dictionary($0.map { ($0, .int($1)) }) }
      ) { writer, range in
        cells(&writer, range) { writer, row in
          if maps[row].isEmpty { return nil }
          let keys = writer.shortStrings(maps[row].map(\.0))
          let values = writer.anyValues(maps[row].map { .int($0.1) })
          return format < 23
            ? writer.refs([writer.tagged(Int64(maps[row].count)), keys, values]) : writer.refs([keys, values])
        }
      },
      Source(column: .init("any", 6, Self.nullable), cells: anys.map(Cell.value)) { writer, range in
        writer.anyValues(Array(anys[range]))
      },
      Source(column: .init("nest", 6, Self.nullable), cells: nests.map { .nested($0.map(Value.int)) }) {
        writer, range in
        let refs = range.map { row in nests[row].isEmpty ? 0 : writer.anyValues(nests[row].map(Value.int)) }
        return writer.refs([
          writer.integers(range.indices.map { Int64($0 - range.lowerBound) << 8 | 4 << 5 | 20 }), 0, 0, 0,
          writer.refs(refs),
        ])
      },
    ]
  }
}

extension RealmFileWriter {
  /// A leaf in the medium form.
  fileprivate mutating func medium(_ values: [[UInt8]?]) -> Int64 {
    var (ends, blob): ([Int64], [UInt8]) = ([], [])
    for value in values {
      blob += value ?? []
      ends.append(Int64(blob.count))
    }
    let parts = [
      integers(ends), raw(blob, count: blob.count, width: 1, scheme: .bytes),
      integers(values.map { $0 == nil ? 1 : 0 }),
    ]
    return refs(parts)
  }

  /// A leaf in the big form.
  fileprivate mutating func big(_ values: [[UInt8]?]) -> Int64 {
    let parts = values.map { value in value.map { raw($0, count: $0.count, width: 1, scheme: .bytes) } ?? 0 }
    return refs(parts, isFlagged: true)
  }

  /// A leaf of blocks of eight values.
  fileprivate mutating func blocks(_ values: [[UInt8]?], of width: Int) -> Int64 {
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: values.count, by: 8) {
      let block = values[start..<min(start + 8, values.count)]
      bytes.append(block.enumerated().reduce(0) { $0 | ($1.element == nil ? 1 << UInt8($1.offset) : 0) })
      for value in block { bytes += value ?? [UInt8](repeating: 0, count: width) }
    }
    return raw(bytes, count: bytes.count, width: 1, scheme: .bytes)
  }

  /// A tree of integers: a leaf, or an inner node with leaves of two.
  fileprivate mutating func tree(_ values: [Int64]) -> Int64 {
    guard values.count > 2 else { return integers(values) }
    let leaves = stride(from: 0, to: values.count, by: 2).map { start in
      integers(values[start..<min(start + 2, values.count)])
    }
    return refs([tagged(2)] + leaves + [tagged(Int64(values.count))], isInner: true)
  }

  /// A leaf of any-values: null, integers and strings.
  fileprivate mutating func anyValues(_ values: [Value]) -> Int64 {
    var (kinds, texts): ([Int64], [String?]) = ([], [])
    for value in values {
      switch value {
      case .int(let number): kinds.append(number << 8 | 1)
      case .string(let text):
        kinds.append(Int64(texts.count) << 8 | 3 << 5 | 3)
        texts.append(text)
      default: kinds.append(0)
      }
    }
    let parts = [integers(kinds), 0, 0, texts.isEmpty ? 0 : shortStrings(texts)]
    return refs(parts)
  }
}
