import FiefDurability
import FiefFuzzing
import FiefGraph
import FiefTestSupport

/// Makes forged stores: the pieces of a sound one, with a field, a piece, a header or a record changed according to the
/// format, and every checksum correct.
struct Forger {
  static let path = SimulatedDisk.folder + "/forged.realm"

  private var random: SeededRandom
  private let snapshot: [ForgedPiece]
  private let commits: [[ForgedPiece]]

  /// Numbers at the limits of what readers accept, and beyond.
  static let numbers: [UInt64] =
    HostileTests.numbers + [2, 3, 4, 7, 16, 31, 32, 33, (1 << 20) - 1, (1 << 31) - 1, (1 << 32) - 1]
    + [(1 << 54) - 1, 1 << 54, (1 << 55) - 1, (1 << 62) - 1, (1 << 62) + 1]

  /// - Parameter seed: of the store that is changed, and of all changes.
  init(seed: Seed) throws {
    random = seed.random
    var store = try RandomStore(seed: seed)
    for _ in 0..<2 + random.below(4) { _ = try store.step(operations: 4) }
    snapshot = ForgedParser.pieces(
      try Snapshot.bytes(store.graph, Fixed.header()).withUnsafeBytes { try Sealing.pieces(ofSnapshot: $0) })
    var commits: [[ForgedPiece]] = []
    var graph = store.graph
    for index in 0..<3 {
      let next: Graph
      if index == 0 {
        _ = try store.step(operations: 4)
        next = store.graph
      } else if index == 1 {
        next = try Self.changingSchema(graph)
      } else {
        let transaction = Transaction(graph)
        let target = store.target
        if let name = graph[target]?.schema.primaryKey {
          _ = try? transaction.create(in: target, primaryKey: .string("new \(index) \(name)"))
        }
        for _ in 0..<3 { try transaction.create(in: store.row) }
        if let link = Self.first(graph, store.row) { try? transaction.delete(link) }
        next = transaction.graph
      }
      commits.append(ForgedParser.pieces(DeltaCodec.encode(Delta(from: graph, to: next))))
      graph = next
    }
    self.commits = commits
  }

  private static func first(_ graph: Graph, _ table: TableKey) -> ObjectLink? {
    var found: ObjectLink?
    graph[table]?.rows.forEach { chunk, cluster in
      cluster.live.forEach { found = found ?? ObjectLink(table, ObjectKey(chunk: chunk, bit: $0)) }
      return false
    }
    return found
  }

  private static func changingSchema(_ graph: Graph) throws -> Graph {
    let transaction = Transaction(graph)
    let late = try transaction.addTable("late")
    let name = try transaction.addColumn(to: late, "name", ColumnType(.string))
    try transaction.addColumn(to: late, "self", .link(to: late, shape: .list), deleteRule: .cascade)
    try transaction.addIndex(IndexDefinition([name], isUnique: true), to: late)
    try transaction.addIndex(.fullText(name), to: late)
    for index in 0..<3 { try transaction.create(in: late) { try $0.set("late \(index)", name) } }
    let row = TableKey(rawValue: 4)
    if let column = graph[row]?.schema.columns.first { try transaction.removeColumn(column.key, of: row) }
    return transaction.graph
  }

  /// Whether the parser splits everything that the codec writes, to the byte.
  var isUnderstood: Bool {
    [snapshot] + commits == ([snapshot] + commits).map { ForgedParser.pieces($0.flatMap(\.encoded)) }
  }

  // MARK: Files

  /// The files of one forged store.
  mutating func next() -> [String: [UInt8]] {
    var snapshot = snapshot
    var commits = commits
    // In two of three stores the journal or the snapshot is sound; in a few only headers and records are changed.
    let target = random.below(8)
    if target < 4 { change(&snapshot, isSnapshot: true) }
    if target > 2 && target < 7 { change(&commits[random.below(commits.count)], isSnapshot: false) }
    var header = SnapshotHeader(
      store: Fixed.store, generation: number(3), version: number(17), userVersion: number(5),
      blockSize: 512 << UInt32(random.below(3)))
    if random.below(20) == 0 { header.store = Fixed.otherStore }
    let pieces = snapshot.flatMap(\.encoded)
    var files = [Self.path: pieces.withUnsafeBytes { Sealing.snapshot($0, header) }]
    if header.generation > 0 || random.below(4) == 0 { files[Self.path + ".journal"] = journal(header, commits) }
    if random.below(60) == 0 { files[random.bool() ? Self.path : Self.path + ".journal"] = nil }
    return files
  }

  /// The number, or occasionally another one.
  private mutating func number(_ sound: UInt64, oneIn: Int = 12) -> UInt64 {
    guard random.below(oneIn) == 0 else { return sound }
    switch random.below(4) {
    case 0: return sound &+ 1
    case 1: return sound &- 1
    default: return random.element(of: Self.numbers)
    }
  }

  private mutating func journal(_ snapshot: SnapshotHeader, _ commits: [[ForgedPiece]]) -> [UInt8] {
    let header = JournalHeader(
      store: random.below(40) == 0 ? Fixed.otherStore : snapshot.store,
      generation: number(snapshot.generation, oneIn: 40),
      base: number(snapshot.version, oneIn: 30))
    var bytes = JournalWriter(header).headerBytes
    let seed = bytes[60..<64].reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
    var chain = seed
    var commit = header.base
    var durable = header.base
    for pieces in commits {
      commit = number(commit &+ 1, oneIn: 60)
      let payload = ForgedField(form: .varint, role: .number, number: number(5)).encoded + pieces.flatMap(\.encoded)
      bytes += record(1, payload, commit, number(durable, oneIn: 60), seed, &chain)
      if random.bool() { durable = commit }
      if random.below(20) == 0 { bytes += record(2, [], commit, commit, seed, &chain) }
    }
    if random.bool() {
      let contents = random.below(60) == 0 ? [1, 2, 3] as [UInt8] : []
      bytes += record(2, contents, number(commit, oneIn: 40), number(commit, oneIn: 40), seed, &chain)
    }
    switch random.below(12) {
    case 0: return bytes + random.bytes(count: 1 + random.below(100))
    case 1: return Array(bytes.prefix(64 + random.below(max(bytes.count - 64, 1))))
    case 2: return bytes + [UInt8](repeating: 0, count: 8 * random.below(20))
    default: return bytes
    }
  }

  /// A record by FORMAT.md, with its checksums.
  private mutating func record(
    _ kind: UInt64, _ payload: [UInt8], _ commit: UInt64, _ durable: UInt64, _ seed: UInt32, _ chain: inout UInt32
  ) -> [UInt8] {
    func bytes(_ number: UInt64, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }
    func crc(_ bytes: [UInt8], _ after: UInt32) -> UInt32 {
      bytes.withUnsafeBytes { CRC32C.checksum($0, after: after) }
    }
    let fields =
      bytes(0x6365_5246, 4) + bytes(number(kind, oneIn: 100), 4)
      + bytes(number(UInt64(payload.count), oneIn: 150), 8) + bytes(commit, 8) + bytes(durable, 8)
      + bytes(random.below(150) == 0 ? 1 : 0, 4)
    let padded =
      payload + [UInt8](repeating: random.below(150) == 0 ? 1 : 0, count: (8 - payload.count % 8) % 8)
    let header = fields + bytes(UInt64(crc(fields, seed)), 4)
    chain = crc(padded, crc(fields, chain))
    return header + padded + bytes(UInt64(chain), 4) + bytes(0xC35A_A53C, 4)
  }

  // MARK: Pieces

  private mutating func change(_ pieces: inout [ForgedPiece], isSnapshot: Bool) {
    for _ in 0..<1 + random.below(3) where !pieces.isEmpty {
      let index = random.below(pieces.count)
      switch random.below(16) {
      case 0: pieces.remove(at: index)
      case 1: pieces.insert(pieces[index], at: random.below(pieces.count + 1))
      case 2: pieces.swapAt(index, random.below(pieces.count))
      case 3:
        let others = random.bool() ? snapshot : commits[random.below(commits.count)]
        guard !others.isEmpty else { continue }
        let other = random.element(of: others)
        if random.bool() { pieces[index] = other } else { pieces.insert(other, at: index) }
      case 4: pieces[index].kind = UInt8(random.below(8))
      case 5: pieces[index].lie = random.element(of: [-1, 1, 8, -8, 1 << 20, 1 << 40, (1 << 55) - 1])
      default: changeField(&pieces[index].fields)
      }
    }
    // The schema is at both ends of a snapshot, and seldom differs between them.
    if isSnapshot, random.below(10) > 0, let first = pieces.first, first.kind == 1,
      let last = pieces.lastIndex(where: { $0.kind == 6 })
    {
      pieces[last].fields = first.fields
    }
  }

  private mutating func changeField(_ fields: inout [ForgedField]) {
    guard !fields.isEmpty else { return }
    // The role is chosen first, because there are thousands of values for each key of a table.
    let roles = ForgedField.Role.allCases.filter { role in fields.contains { $0.role == role } }
    let role = random.element(of: roles)
    let indexes = fields.indices.filter { fields[$0].role == role }
    let index = random.element(of: indexes)
    switch random.below(12) {
    case 0: fields.remove(at: index)
    case 1: fields.insert(fields[index], at: index)
    case 2: fields.swapAt(index, random.element(of: indexes))
    case 3:
      // A run of fields is repeated at another position.
      let run = fields[index..<min(fields.count, index + 1 + random.below(10))]
      fields.insert(contentsOf: run, at: random.element(of: indexes))
    case 4: fields[index].isLong = true
    default:
      switch fields[index].form {
      case .bytes, .text: changeBytes(&fields[index].bytes, fields[random.element(of: indexes)].bytes)
      default:
        let other = fields[random.element(of: indexes)].number
        switch random.below(5) {
        case 0: fields[index].number &+= 1
        case 1: fields[index].number &-= 1
        case 2: fields[index].number = other
        case 3: fields[index].number = UInt64(random.below(20))
        default: fields[index].number = random.element(of: Self.numbers)
        }
      }
    }
  }

  private mutating func changeBytes(_ bytes: inout [UInt8], _ other: [UInt8]) {
    switch random.below(6) {
    case 0: bytes = []
    case 1: bytes = other
    case 2: bytes += Array("e\u{301}".utf8)
    case 3: bytes.append(random.element(of: [0x00, 0x80, 0xC0, 0xED, 0xFF]))
    case 4: if !bytes.isEmpty { bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8)) }
    default: bytes = random.bytes(count: random.below(300))
    }
  }
}
