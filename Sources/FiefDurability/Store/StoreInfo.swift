import FiefGraph
import FiefRuntime
import Foundation

/// The facts about a store that do not need its single rows.
///
///     if let info = try Realm.verify(fileURL: url).info { print(info.userVersion, info.tables.map(\.name)) }
public struct StoreInfo: Sendable {
  /// One table.
  public struct Table: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// Its number of rows.
    public var rows: Int

    /// Creates a table entry from its parts.
    package init(name: String, rows: Int) {
      self.name = name
      self.rows = rows
    }
  }

  /// The identity of the store.
  public var store: UUID
  /// The newest version.
  public var version: UInt64
  /// The version of the snapshot.
  public var snapshotVersion: UInt64
  /// The application's schema number in the newest version.
  public var userVersion: UInt64
  /// The snapshot's size in bytes.
  public var snapshotSize: Int
  /// The journal's size in bytes; 0 if the journal does not exist.
  public var journalSize: Int
  /// The number of commits in the journal.
  public var journalCommits: Int
  /// The history's size in bytes; 0 without one.
  public var historySize: Int
  /// The number of versions before the snapshot's that the history holds.
  public var historyVersions: Int
  /// How the store was left.
  public var state: StoredVersion.State
  /// The bytes that the next opening for writing cuts off the journal; nil if it cuts off nothing.
  public var cutOff: StoredVersion.CutOff?
  /// Its tables in the order of their keys. Tables of nested collections come last, and only if they have rows.
  public var tables: [Table]
  /// The number of documents that wait for their delivery.
  public var documents: Int
  /// The encryption of the files; nil if they are plain.
  public var encryption: Encryption?
  /// The processes that have the store open for writing and share it. A process that has it for itself is not among
  /// them.
  public package(set) var processes: [Int32] = []

  /// The mark of the key in encrypted files.
  public struct Encryption: Hashable, Sendable {
    /// The identifier of the key: `FileCipher.keyIdentifier`.
    public var keyIdentifier: Data
    /// The number of bytes that the cipher adds to each encrypted part.
    public var overhead: Int
    /// Whether the files were looked at without their key. Then the tables and documents are not known, and the schema
    /// version is that of the snapshot. Versions, sizes and commits are known.
    public var isLocked: Bool
  }
}

/// The result of a check of a store.
///
///     let report = try Realm.verify(fileURL: url)
///     for line in report.problems + report.doubts { print(line) }
public struct StoreReport: Sendable {
  /// The faults of the store, one sentence each, the most significant first; empty if the store has no faults.
  public var problems: [String] = []
  /// Possible losses that the files can neither show nor exclude, one sentence each. The store can be opened, but some
  /// of its last commits may be missing. A history that cannot be read to its end is among them: earlier versions are
  /// missing then, and no data is.
  public var doubts: [String] = []
  /// The facts about the store; nil when it cannot be opened.
  public var info: StoreInfo?

  /// Whether the store has no problems and no doubts.
  ///
  ///     if try !Realm.verify(fileURL: url).isSound { print("The file has faults, or commits may be missing.") }
  public var isSound: Bool { problems.isEmpty && doubts.isEmpty }
}

extension StoreInfo: CustomStringConvertible {
  /// The version and the number of objects.
  public var description: String {
    let rows = tables.reduce(0) { $0 + $1.rows }
    if encryption?.isLocked ?? false { return "version \(version), encrypted" }
    return "version \(version), \(rows) \(rows == 1 ? "object" : "objects") in \(tables.count) "
      + (tables.count == 1 ? "class" : "classes")
  }
}

extension StoreReport: CustomStringConvertible {
  /// Whether the store is sound, and its problems or doubts, one a line.
  public var description: String {
    guard problems.isEmpty, let info else { return (["damaged:"] + problems).joined(separator: "\n  ") }
    if doubts.isEmpty { return "sound: \(info)." }
    return (["whole up to version \(info.version), and in doubt behind it:"] + doubts).joined(separator: "\n  ")
  }
}

extension StoreInfo {
  init(_ pair: StoredPair, _ history: StoredHistory) {
    let all = pair.graph.allTables
    let declared =
      all.filter { !$0.schema.key.isNested && !$0.schema.isInternal }
      + all.filter { $0.schema.key.isNested && $0.count > 0 }
    let stored = StoredVersion(pair)
    self.init(
      store: stored.store, version: stored.version, snapshotVersion: pair.snapshot.version,
      userVersion: stored.userVersion, snapshotSize: pair.snapshotSize, journalSize: pair.journal?.bytes.count ?? 0,
      journalCommits: pair.journal?.commits ?? 0, historySize: history.bytes.count,
      historyVersions: history.records.count, state: stored.state, cutOff: stored.cutOff,
      tables: declared.map { Table(name: $0.schema.name, rows: $0.count) },
      documents: pair.graph.table(named: TableSchema.outboxName)?.count ?? 0,
      encryption: pair.snapshot.key.map { Encryption($0, isLocked: false) })
  }
}

extension StoreInfo.Encryption {
  init(_ key: KeyMark, isLocked: Bool) {
    self.init(keyIdentifier: Data(key.identifier), overhead: key.overhead, isLocked: isLocked)
  }
}

extension StoreFile {
  /// Reads the sizes, versions and tables of a store. The store may be open for writing meanwhile.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - key: The key of the store. Without it, only what its files show without a key is known of an encrypted store.
  ///   - system: The file system.
  /// - Throws: the errors of `read`.
  /// - Complexity: linear in the files. A journal that does not end in a whole record is watched for a quarter of a
  ///   second.
  package static func info(
    _ path: String, key: FileKey? = nil, on system: any FileSystem = RealFileSystem()
  ) throws(StoreError) -> StoreInfo {
    let system = PatientFileSystem(system: system, key: key)
    let locked = try LockedStore(path, system)
    var info: StoreInfo
    if let locked {
      info = locked.info
    } else {
      let (pair, history) = try readWithHistory(path, system)
      info = StoreInfo(pair, history)
    }
    let paths = try StorePaths(resolving: path, system)
    if let lock = try? paths.open(paths.lock, for: .reading, system) {
      info.processes = StoreSharing.members(in: lock)
      lock.close()
    }
    return info
  }

  /// Reads a store with its history, and reads them again when a checkpoint may have come between.
  private static func readWithHistory(
    _ path: String, _ system: PatientFileSystem
  ) throws(StoreError) -> (StoredPair, StoredHistory) {
    let paths = try StorePaths(resolving: path, system)
    var attempts = 0
    while true {
      attempts += 1
      let pair = try readDecidedPair(path, system)
      let history = try asStoreError("The history could not be read", at: paths.history) {
        try StoredHistory(paths, on: system, pair.anchor, replacedAt: pair.replaced)
      }
      if history.loss == nil || attempts == 3 { return (pair, history) }
    }
  }

  /// Checks a store: every checksum in its files, and every invariant of its graph. Changes no file. The store may be
  /// open for writing meanwhile: an append that is under way is no doubt.
  ///
  /// - Parameters:
  ///   - path: The path of the store.
  ///   - key: The key of the store. Without it, the contents of an encrypted store are not checked, which is a doubt.
  ///   - system: The file system.
  /// - Returns: the problems and doubts.
  /// - Throws: the errors of `read` for a file that is not a store of this library, and failures of the system. Damage
  ///   is not thrown but reported.
  /// - Complexity: O(n log n) in the rows. A journal that does not end in a whole record is watched for a quarter of a
  ///   second.
  package static func verify(
    _ path: String, key: FileKey? = nil, on system: any FileSystem = RealFileSystem()
  ) throws(StoreError) -> StoreReport {
    let system = PatientFileSystem(system: system, key: key)
    var report = StoreReport()
    do throws(StoreError) {
      if let locked = try LockedStore(path, system) { return locked.report }
      let (pair, history) = try readWithHistory(path, system)
      report.info = StoreInfo(pair, history)
      report.problems = pair.graph.checkInvariants(counting: WorkMeter.current).map { "\($0)" }
      if pair.isAtItsEnd {
        report.problems.append(Generation.usedUp(try StorePaths(resolving: path, system)))
      }
      if let cutOff = report.info?.cutOff { report.doubts = [cutOff.description] }
      if let loss = history.loss {
        let oldest = history.records.last?.version ?? pair.snapshot.version
        report.doubts.append(StoredHistory.describe(loss, try StorePaths(resolving: path, system), from: oldest))
      }
    } catch {
      guard error.code == .damaged else { throw error }
      report.problems = [error.message]
      let snapshot = try StorePaths(resolving: path, system).snapshot
      if let file = try? system.open(snapshot, for: .reading) {
        defer { file.close() }
        guard let bytes = try? file.readWhole(path: snapshot) else { return report }
        unsafe report.problems += bytes.withUnsafeBytes { unsafe SnapshotScan($0, key: system.key) }.damages.map(
          \.description)
      }
    }
    return report
  }
}
