import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation

/// The files of an encrypted store with a snapshot of some blocks, a journal of some commits and a history.
struct EncryptedStage {
  static let path = HistoryStage.path
  static let (journal, history) = (path + ".journal", path + ".history")
  static let limits = HistoryLimits(versions: 100, age: nil)
  /// The words of the store: names of tables and columns, keys and values of all kinds of columns.
  static let words = [
    "Penguins", "plumage", "favourites", "nicknames", "attributes", "secretary", "Iridescent", "Bartholomew",
    "Waddles", "attribute-key", "binary-contents", "anything-at-all", "Archipelago",
  ]

  let files: [String: [UInt8]]
  let latest: Graph

  /// Makes a store.
  ///
  /// - Parameter key: the key; nil for a plain store.
  init(key: FileKey?, chance: UInt64 = 3) throws {
    let disk = SimulatedDisk.$usualKey.withValue(key) { SimulatedDisk(chance: chance) }
    let first = try Self.first()
    var stage: HistoryStage? = try HistoryStage(SimulatedProcess(disk), Self.limits, first: first)
    for number in 0..<6 {
      try stage?.commit { try Self.change($0, number) }
      if number == 3 { try stage?.compact() }
    }
    latest = stage?.latest ?? .empty
    stage = nil
    files = disk.files
  }

  /// Opens files with a key.
  ///
  /// - Returns: the version that is found.
  static func open(_ files: [String: [UInt8]], _ key: FileKey?) throws(StoreError) -> StoredVersion {
    try Stage.open(files, key).stored
  }

  private static func first() throws -> Graph {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Penguins")
    try transaction.addColumn(to: table, "plumage", ColumnType(.string))
    try transaction.addColumn(to: table, "favourites", ColumnType(.string, shape: .list))
    try transaction.addColumn(to: table, "nicknames", ColumnType(.string, shape: .set))
    try transaction.addColumn(to: table, "attributes", ColumnType(.string, shape: .dictionary))
    try transaction.addColumn(to: table, "secretary", ColumnType(.data))
    try transaction.addColumn(to: table, "anything", ColumnType(.any))
    return transaction.graph
  }

  private static func change(_ transaction: Transaction, _ number: Int) throws {
    guard let schema = transaction.graph.table(named: "Penguins")?.schema else { return }
    let table = schema.key
    func column(_ name: String) throws -> ColumnKey {
      guard let column = schema.column(named: name) else { throw StoryFault(description: "no column \(name)") }
      return column.key
    }
    // Rows for some blocks of a snapshot.
    for row in 0..<120 {
      let key = try transaction.create(in: table) {
        try $0.set("Bartholomew \(number) \(row) " + String(repeating: "Iridescent ", count: 20), try column("plumage"))
        try $0.set(Value.data(Data("binary-contents \(row)".utf8)), try column("secretary"))
        try $0.set(Value.string("anything-at-all"), try column("anything"))
      }
      try transaction.append(.string("Waddles"), toList: Cell(table, key, try column("favourites")))
      try transaction.insert(.string("Archipelago"), inSet: Cell(table, key, try column("nicknames")))
      try transaction.set(
        .string("Waddles"), forKey: "attribute-key", inDictionary: Cell(table, key, try column("attributes")))
    }
  }

  private enum Stage {
    static func open(
      _ files: [String: [UInt8]], _ key: FileKey?
    ) throws(StoreError) -> (stored: StoredVersion, disk: SimulatedDisk) {
      let disk = SimulatedDisk.$usualKey.withValue(key) { SimulatedDisk(files: files, isRecording: false) }
      let process = SimulatedProcess(disk)
      defer { process.kill() }
      return (try StoreFile.open(path, history: limits, on: process).stored, disk)
    }
  }
}

extension [UInt8] {
  /// Stores the correct checksums in all parts of a snapshot, as somebody without the key can.
  mutating func believeSnapshot() {
    guard count > 208 else { return }
    let seed = crc(0..<60, after: 0)
    put(seed, at: 60)
    let isEncrypted = self[12] & 2 != 0
    if isEncrypted { put(crc(64..<124, after: seed), at: 124) }
    let size = Int(self[56]) | Int(self[57]) << 8 | Int(self[58]) << 16 | Int(self[59]) << 24
    let end = count - 80
    var (offset, index) = (isEncrypted ? 128 : 64, UInt64(0))
    func numbered(_ index: UInt64) -> UInt32 {
      Swift.withUnsafeBytes(of: index.littleEndian) { CRC32C.checksum($0, after: seed) }
    }
    while offset < end {
      let next = Swift.min(end, offset + size)
      put(crc(offset + 4..<next, after: numbered(index)), at: offset)
      offset = next
      index += 1
    }
    replaceSubrange(end..<end + 64, with: self[0..<64])
    var hash = XXH64()
    withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<end])) }
    let digest = hash.digest
    for byte in 0..<8 { self[end + 64 + byte] = UInt8(truncatingIfNeeded: digest >> UInt64(8 * byte)) }
    put(crc(end + 64..<end + 72, after: numbered(index)), at: end + 72)
  }

  private func crc(_ range: Range<Int>, after previous: UInt32) -> UInt32 {
    withUnsafeBytes { CRC32C.checksum(UnsafeRawBufferPointer(rebasing: $0[range]), after: previous) }
  }

  private mutating func put(_ number: UInt32, at offset: Int) {
    for byte in 0..<4 { self[offset + byte] = UInt8(truncatingIfNeeded: number >> UInt32(8 * byte)) }
  }

  /// The ranges of the records of a journal or a history.
  var recordRanges: [Range<Int>] {
    var ranges: [Range<Int>] = []
    var position = self[12] & 2 != 0 ? 128 : 64
    while position + 48 <= count {
      let length = self[position + 8..<position + 16].reversed().reduce(0) { $0 << 8 | Int($1) }
      let end = position + 40 + (length + 7) / 8 * 8 + 8
      guard end <= count else { break }
      ranges.append(position..<end)
      position = end
    }
    return ranges
  }
}
