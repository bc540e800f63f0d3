import FiefGraph
import Foundation

/// What is to be said about a store without looking at its rows.
public struct StoreInfo: Sendable {
  /// One table.
  public struct Table: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// How many rows it has.
    public var rows: Int

    /// A table of that name with so many rows.
    public init(name: String, rows: Int) {
      self.name = name
      self.rows = rows
    }
  }

  /// Which store it is.
  public var store: UUID
  /// The newest version.
  public var version: UInt64
  /// The version that the snapshot holds.
  public var snapshotVersion: UInt64
  /// The application's number of its schema in the newest version.
  public var userVersion: UInt64
  /// How many bytes the snapshot has.
  public var snapshotSize: Int
  /// How many bytes the journal has; 0 if there is none.
  public var journalSize: Int
  /// How many commits the journal has.
  public var journalCommits: Int
  /// How the store was left.
  public var state: StoredVersion.State
  /// What the next opening for writing cuts off of the journal; nil when nothing is to be.
  public var cutOff: StoredVersion.CutOff?
  /// Its tables, in the order of their keys, those of nested collections last if they have rows.
  public var tables: [Table]
}

/// What a check of a store found.
public struct StoreReport: Sendable {
  /// Everything that is wrong, a sentence each, the most telling first; empty when the store is sound.
  public var problems: [String] = []
  /// What may be missing and cannot be known, a sentence each: the store can be opened, and some of its last commits
  /// may not be in it.
  public var doubts: [String] = []
  /// What the store is; nil when it cannot be opened.
  public var info: StoreInfo?

  /// Whether nothing is wrong and nothing in doubt.
  public var isSound: Bool { problems.isEmpty && doubts.isEmpty }
}

extension StoreInfo {
  init(_ pair: StoredPair) {
    let all = pair.graph.allTables
    let declared = all.filter { !$0.schema.key.isNested } + all.filter { $0.schema.key.isNested && $0.count > 0 }
    let stored = StoredVersion(pair)
    self.init(
      store: stored.store, version: stored.version, snapshotVersion: pair.snapshot.version,
      userVersion: stored.userVersion, snapshotSize: pair.snapshotSize, journalSize: pair.journal?.bytes.count ?? 0,
      journalCommits: pair.journal?.commits ?? 0, state: stored.state, cutOff: stored.cutOff,
      tables: declared.map { Table(name: $0.schema.name, rows: $0.count) })
  }
}

extension StoreFile {
  /// What a store holds, in numbers. It may be open for writing meanwhile.
  ///
  /// - Parameters:
  ///   - path: Where the store is.
  ///   - system: Where the files are.
  /// - Throws: what `read` throws.
  /// - Complexity: linear in the files.
  public static func info(_ path: String, on system: any FileSystem = RealFileSystem()) throws(StoreError) -> StoreInfo
  {
    StoreInfo(try readPair(path, PatientFileSystem(system: system)))
  }

  /// Checks a store: every checksum in both files, every statement about its graph. Changes nothing.
  ///
  /// - Parameters:
  ///   - path: Where the store is.
  ///   - system: Where the files are.
  /// - Returns: all that is wrong.
  /// - Throws: what `read` throws for what is no store of ours, and when the system fails; damage is not thrown, it is
  ///   what the report is about.
  /// - Complexity: O(n log n) in the rows.
  public static func verify(
    _ path: String, on system: any FileSystem = RealFileSystem()
  ) throws(StoreError) -> StoreReport {
    let system = PatientFileSystem(system: system)
    var report = StoreReport()
    do throws(StoreError) {
      let pair = try readPair(path, system)
      report.info = StoreInfo(pair)
      report.problems = pair.graph.checkInvariants().map { "\($0)" }
      if pair.isAtItsEnd {
        report.problems.append(Generation.usedUp(try StorePaths(resolving: path, system)))
      }
      if let cutOff = report.info?.cutOff { report.doubts = [cutOff.description] }
    } catch {
      guard error.code == .damaged else { throw error }
      report.problems = [error.message]
      let snapshot = try StorePaths(resolving: path, system).snapshot
      if let file = try? system.open(snapshot, for: .reading) {
        defer { file.close() }
        guard let bytes = try? file.readWhole(path: snapshot) else { return report }
        report.problems += bytes.withUnsafeBytes { SnapshotScan($0) }.damages.map(\.description)
      }
    }
    return report
  }
}
