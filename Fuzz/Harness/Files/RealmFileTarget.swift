import FiefDurability
import FiefGraph
import FiefRealmFiles
import FiefTestSupport
import FiefValues

/// Feeds files of Realm to their reader.
///
///     header of five bytes ──▶ a file with random values (`RealmFileSample`)
///     steps of six bytes ────▶ forgeries (`RealmFileForgery`)
///
/// A file without forgeries must be read as it was written, cell by cell. A forged one must be refused with an error,
/// or become a sound graph, which survives being stored.
public struct RealmFileTarget: FuzzTarget {
  /// A file, and what is forged in it.
  public struct Program {
    let header: [Int]
    let forgeries: [StepBytes]
  }

  /// The target.
  public init() {}

  /// The name of the target.
  public let name = "realmfiles"
  /// The work of the target.
  public let purpose = "files of Realm, sound and forged"

  /// Five bytes for the file, then forgeries.
  public func layout(of input: [UInt8]) -> InputLayout {
    InputLayout(header: 5, step: 6, kinds: RealmFileForgery.kinds, limit: 6)
  }

  /// A random input; one in four has no forgeries.
  public func sample(_ random: inout SeededRandom) -> [UInt8] {
    let isSound = random.below(4) == 0
    let header = random.bytes(count: 5)
    return header + (isSound ? [] : layout(of: []).sample(&random).dropFirst(5))
  }

  /// The file and its forgeries.
  public func decode(_ input: [UInt8]) -> Program {
    let header = Array(input.prefix(5)) + [UInt8](repeating: 0, count: max(0, 5 - input.count))
    return Program(header: header.map(Int.init), forgeries: layout(of: input).steps(input))
  }

  /// The program as lines of Swift.
  public func steps(_ program: Program) -> [String] {
    ["let sample = RealmFileSample(\(program.header))", "var file = RealmFileForgery(sample.bytes)"]
      + program.forgeries.map(RealmFileForgery.line) + ["try RealmFile(file.bytes)"]
  }

  /// Reads the file.
  public func run(_ program: Program) throws {
    let sample = RealmFileSample(program.header)
    var forgery = RealmFileForgery(sample.bytes)
    for step in program.forgeries { forgery.apply(step) }
    let bytes = forgery.bytes
    let isForged = bytes != sample.bytes
    let file: RealmFile
    do {
      file = try RealmFile(bytes)
    } catch let error as RealmFileError {
      try expect(isForged, "A sound file is refused: \(error)")
      try expect(error.message.count < 1000, "An error has \(error.message.count) characters.")
      let isFoundLate = (try? RealmFile.check(bytes)) != nil
      try expect(!isFoundLate, "A file is refused after it was checked: \(error)")
      return
    }
    if let fault = file.graph.checkInvariants().first { throw Finding("A file leads to an unsound graph: \(fault)") }
    try compareInfo(bytes, file)
    try store(file.graph)
    if !isForged { try compare(file, sample) }
  }

  /// The facts that need no reading of objects agree with the objects.
  private func compareInfo(_ bytes: ContiguousArray<UInt8>, _ file: RealmFile) throws {
    let info = try RealmFileInfo(bytes)
    try expect(
      info.tables.map(\.name) == file.report.tables.map(\.name)
        && info.tables.map(\.rows) == file.report.tables.map(\.rows),
      "The classes of a file are not those that were read.")
    for table in file.report.tables {
      let count = file.graph.table(named: table.name)?.count
      try expect(count == table.rows, "'\(table.name)' has \(table.rows) objects in the file, and \(count ?? -1) here.")
    }
  }

  /// The graph is stored and read again, as an import does.
  private func store(_ graph: Graph) throws {
    let graph = graph.numbered(1)
    let bytes = Snapshot.bytes(graph, SnapshotTarget.header)
    let again = try bytes.withUnsafeBytes { try Snapshot(reading: $0).graph }
    try expect(again == graph, "A graph of a file is another one after it was stored.")
  }

  // MARK: Values

  private func compare(_ file: RealmFile, _ sample: RealmFileSample) throws {
    let report = file.report
    try expect(file.schemaVersion == 5, "The schema version is \(file.schemaVersion).")
    // The file has backlinks of `next`, and none of `rows`.
    let lists = sample.columns.first { $0.name == "rows" }?.cells ?? []
    let hasLists = lists.contains { if case .list(let links) = $0 { !links.isEmpty } else { false } }
    try expect(
      report.disagreeingBacklinks == (hasLists ? 1 : 0),
      "The backlinks of \(report.disagreeingBacklinks) properties disagree in a sound file.")
    guard let table = file.graph.table(named: "All") else { throw Finding("A sound file has no class.") }
    try expect(table.count == sample.count, "\(sample.count) objects become \(table.count).")
    try expect(
      table.schema.columns.map(\.name) == sample.columns.map(\.name), "The properties are \(table.schema.columns).")
    for (column, (name, cells)) in zip(table.schema.columns, sample.columns) {
      for row in 0..<sample.count {
        let place = FiefGraph.Cell(table.schema.key, sample.key(row), column.key)
        let found = file.graph.value(place).map { "\($0)" } ?? "a collection"
        try expect(
          isEqual(file.graph, place, column.type, cells[row]),
          "'\(name)' of object \(row) is \(found), not \(cells[row]).")
      }
    }
  }

  private func isEqual(
    _ graph: Graph, _ place: FiefGraph.Cell, _ type: ColumnType, _ wanted: RealmFileSample.Cell
  ) -> Bool {
    func elements(_ place: FiefGraph.Cell, _ type: ColumnType) -> [Value] {
      guard let found = graph.collection(place) else { return [] }
      return (0..<found.count).map { found.value(at: $0, as: type) }
    }
    switch wanted {
    case .value(let value): return graph.value(place) == value
    case .list(let values), .set(let values): return elements(place, type) == values
    case .dictionary(let entries):
      let found = graph.collection(place)
      let keys = (0..<(found?.count ?? 0)).map { found?.key(ofEntryAt: $0) ?? "" }
      return keys == entries.map(\.0) && elements(place, type) == entries.map(\.1)
    case .nested(let values):
      guard case .link(let nest)? = graph.value(place), nest.table == .nestedLists else { return false }
      return elements(FiefGraph.Cell(nest.table, nest.key, .nestedElements), ColumnType(.any, shape: .list)) == values
    }
  }
}
