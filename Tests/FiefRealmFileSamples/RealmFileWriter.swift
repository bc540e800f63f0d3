/// Writes the nodes of a file of Realm: for tests of forms that realm-core does not write any more, for forged files,
/// and for benchmarks. `Sources/FiefRealmFiles/FORMAT.md` describes the format.
///
///     var writer = RealmFileWriter()
///     let rows = writer.node([writer.tagged(2), writer.integers([3, 4])], hasRefs: true)
///     let bytes = writer.finish(top: writer.group([("class_Dog", writer.table(...))]))
public struct RealmFileWriter {
  /// How the elements of a node are stored.
  public enum Scheme: UInt8 {
    case bits, multiple, bytes
  }

  private var bytes: ContiguousArray<UInt8>
  private let format: UInt8

  /// A file without nodes.
  public init(format: UInt8 = 24) {
    self.format = format
    bytes = ContiguousArray(repeating: 0, count: 16) + Array("T-DB".utf8) + [format, format, 0, 0]
  }

  /// How many bytes were written so far.
  public var size: Int { bytes.count }

  // MARK: Nodes

  /// Appends a node of raw elements and returns its ref.
  public mutating func raw(
    _ payload: some Collection<UInt8>, count: Int, width: Int, scheme: Scheme, isInner: Bool = false,
    hasRefs: Bool = false, isFlagged: Bool = false
  ) -> Int64 {
    let ref = bytes.count
    let code: UInt8 = width == 0 ? 0 : UInt8(width.trailingZeroBitCount + 1)
    let flags: UInt8 = (isInner ? 0x80 : 0) | (hasRefs ? 0x40 : 0) | (isFlagged ? 0x20 : 0)
    bytes += [0x41, 0x41, 0x41, 0x41, flags | scheme.rawValue << 3 | code]
    bytes += [UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)]
    bytes += payload
    while bytes.count % 8 != 0 { bytes.append(0) }
    return Int64(ref)
  }

  /// Appends a node of integers in the narrowest width that holds all of them.
  public mutating func integers(
    _ values: some Collection<Int64>, isInner: Bool = false, hasRefs: Bool = false, isFlagged: Bool = false
  ) -> Int64 {
    let (least, most) = values.reduce((Int64(0), Int64(0))) { (min($0.0, $1), max($0.1, $1)) }
    let width =
      if least == 0 && most < 16 {
        most == 0 ? 0 : most == 1 ? 1 : most < 4 ? 2 : 4
      } else if Int8(exactly: least) != nil && Int8(exactly: most) != nil {
        8
      } else if Int16(exactly: least) != nil && Int16(exactly: most) != nil {
        16
      } else {
        Int32(exactly: least) != nil && Int32(exactly: most) != nil ? 32 : 64
      }
    var payload: ContiguousArray<UInt8> = []
    payload.reserveCapacity(values.count * width / 8 + 1)
    var filled = 0
    for value in values {
      if width >= 8 {
        for byte in 0..<width / 8 { payload.append(UInt8(truncatingIfNeeded: value >> Int64(8 * byte))) }
      } else if width > 0 {
        if filled % 8 == 0 { payload.append(0) }
        payload[payload.count - 1] |= UInt8(value) << UInt8(filled % 8)
        filled += width
      }
    }
    return raw(
      payload, count: values.count, width: width, scheme: .bits, isInner: isInner, hasRefs: hasRefs,
      isFlagged: isFlagged)
  }

  /// Appends a node of integers without a sign, as keys of rows and offsets of clusters are, in the narrowest width.
  public mutating func unsigned(_ values: [UInt64]) -> Int64 {
    let most = values.max() ?? 0
    let width = most >> 8 == 0 ? 8 : most >> 16 == 0 ? 16 : most >> 32 == 0 ? 32 : 64
    let payload = values.flatMap { value in
      (0..<width / 8).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }
    return raw(payload, count: values.count, width: width, scheme: .bits)
  }

  /// Appends a node of refs and tagged numbers.
  public mutating func refs(_ elements: [Int64], isInner: Bool = false, isFlagged: Bool = false) -> Int64 {
    integers(elements, isInner: isInner, hasRefs: true, isFlagged: isFlagged)
  }

  /// A tagged number.
  public func tagged(_ number: Int64) -> Int64 { number << 1 | 1 }

  /// Appends a leaf of short strings, each of at most 63 bytes; nil is null.
  public mutating func shortStrings(_ texts: some Collection<String?>) -> Int64 {
    let longest = texts.reduce(0) { max($0, $1.map { $0.utf8.count + 1 } ?? 0) }
    var width = longest == 0 ? 0 : 1
    while width < longest { width *= 2 }
    var payload: ContiguousArray<UInt8> = []
    payload.reserveCapacity(texts.count * width)
    for text in texts where width > 0 {
      let count = text?.utf8.count ?? 0
      payload += Array((text ?? "").utf8)
      for _ in 0..<width - 1 - count { payload.append(0) }
      payload.append(UInt8(text == nil ? width : width - 1 - count))
    }
    return raw(payload, count: texts.count, width: width, scheme: .multiple)
  }

  // MARK: Tables

  /// A column of a table: its name, and the numbers of the format.
  public struct Column {
    /// The name.
    public var name: String
    /// The number of the type.
    public var type: Int64
    /// The attributes, as bits.
    public var attributes: Int64
    /// The key of the table at the other end.
    public var opposite: Int64
    /// The key of the column at the other end, for backlinks.
    public var oppositeColumn: Int64

    /// A column of these parts.
    public init(
      _ name: String, _ type: Int64, _ attributes: Int64 = 0, opposite: Int64 = 0x7FFF_FFFF,
      oppositeColumn: Int64 = .max
    ) {
      (self.name, self.type, self.attributes) = (name, type, attributes)
      (self.opposite, self.oppositeColumn) = (opposite, oppositeColumn)
    }

    /// The key of the column at a position.
    public func key(_ position: Int) -> Int64 {
      Int64(position) | (type & 63) << 16 | (attributes & 255) << 22 | 1 << 30
    }
  }

  /// Appends a table and returns its ref.
  ///
  /// - Parameters:
  ///   - rows: the ref of the cluster tree.
  ///   - primaryKey: the position of the column of the primary key.
  ///   - kind: 0 ordinary, 1 embedded, 2 asymmetric; nil for a node as versions before 20 have it.
  ///   - tombstones: the ref of the tree of tombstones.
  ///   - enumerations: refs of enumerated strings.
  public mutating func table(
    key: Int64, _ columns: [Column], rows: Int64, primaryKey: Int? = nil, kind: Int64? = 0, tombstones: Int64 = 0,
    enumerations: [Int64] = []
  ) -> Int64 {
    let specification: [Int64] = [
      integers(columns.map(\.type)), shortStrings(columns.filter { $0.type != 14 }.map(\.name)),
      integers(columns.map(\.attributes)), 0, enumerations.isEmpty ? 0 : refs(enumerations),
      integers(columns.enumerated().map { $1.key($0) }),
    ]
    let keyElement: Int64 = primaryKey.map { tagged(columns[$0].key($0)) } ?? 0
    let elements: [Int64] = [
      refs(specification), 0, rows, tagged(key), 0, tagged(0), tagged(1), integers(columns.map(\.opposite)),
      integers(columns.map(\.oppositeColumn)), tagged(0), 0, keyElement,
    ]
    return refs(elements + (kind.map { [tagged($0), tombstones] } ?? []))
  }

  /// Appends the top node and returns its ref.
  public mutating func group(_ tables: [(name: String, ref: Int64)]) -> Int64 {
    refs([shortStrings(tables.map(\.name)), refs(tables.map(\.ref)), tagged(0), 0, 0, 0, tagged(7)])
  }

  /// Appends a table `metadata` with a schema version.
  public mutating func metadata(key: Int64, version: Int64) -> Int64 {
    let rows = refs([tagged(1), integers([version])])
    return table(key: key, [Column("version", 0)], rows: rows)
  }

  /// Appends a cluster tree of an inner node and leaves of 256 rows with consecutive keys.
  ///
  /// - Parameter leaf: appends the columns of some rows and returns their refs.
  public mutating func clusters(
    of count: Int, _ leaf: (inout RealmFileWriter, Range<Int>) -> [Int64]
  ) -> Int64 {
    var level: [(ref: Int64, count: Int)] = []
    for start in stride(from: 0, to: count, by: 256) {
      let range = start..<min(start + 256, count)
      let columns = leaf(&self, range)
      level.append((refs([tagged(Int64(range.count))] + columns), range.count))
    }
    if level.isEmpty {
      let columns = leaf(&self, 0..<0)
      return refs([tagged(0)] + columns)
    }
    var depth: Int64 = 1
    while level.count > 1 {
      var above: [(ref: Int64, count: Int)] = []
      for start in stride(from: 0, to: level.count, by: 256) {
        let children = level[start..<min(start + 256, level.count)]
        let total = children.reduce(0) { $0 + $1.count }
        above.append((refs([0, tagged(depth), tagged(Int64(total))] + children.map(\.ref), isInner: true), total))
      }
      level = above
      depth += 1
    }
    return level[0].ref
  }

  /// The whole file, with the first slot in force. It mutates, so that it is called after its argument was written.
  public mutating func finish(top: Int64) -> ContiguousArray<UInt8> {
    for byte in 0..<8 { bytes[byte] = UInt8(truncatingIfNeeded: top >> Int64(8 * byte)) }
    return bytes
  }
}

extension RealmFileWriter {
  /// A file with the schema version 7 and one class, `Marker`, that has objects and no properties.
  public static func withoutProperties(rows: Int) -> ContiguousArray<UInt8> {
    var writer = RealmFileWriter()
    let clusters = writer.clusters(of: rows) { _, _ in [] }
    let tables = [
      ("metadata", writer.metadata(key: 1, version: 7)), ("class_Marker", writer.table(key: 2, [], rows: clusters)),
    ]
    return writer.finish(top: writer.group(tables))
  }
}
