/// The data that a recovery saved from a damaged store, and the data that it lost.
///
///     let report = try Realm.recover(from: damaged, to: fresh)
///     print(report.tables.map { "\($0.name): \($0.rows)" }, report.losses)
public struct RecoveryReport: Sendable {
  /// The version of the new store. It is that of the damaged store if its whole snapshot could be read.
  public var version: UInt64 = 0
  /// The application's schema number in that version.
  public var userVersion: UInt64 = 0
  /// The tables of the new store, with their rows.
  public var tables: [StoreInfo.Table] = []
  /// The faults of the damaged store and the data that could not be saved, one sentence each. Empty when no data is
  /// missing.
  public var losses: [String] = []
  /// How many commits of the journal were left out, as far as the journal shows.
  public var lostCommits = 0
  /// How many rows could be read but not saved, because their owners are lost or they contradict other rows.
  public var lostRows = 0
  /// How many links of saved rows led to lost rows. These links are null, or left out of their collections.
  public var lostLinks = 0

  /// Whether everything was saved.
  ///
  ///     if !report.isComplete { print(report.lostCommits, report.lostRows, report.lostLinks) }
  public var isComplete: Bool { losses.isEmpty }
}

extension RecoveryReport: CustomStringConvertible {
  /// The version and the classes with their numbers of objects, and the losses, one a line.
  public var description: String {
    let saved = tables.map { "\($0.rows) of \($0.name)" }.joined(separator: ", ")
    return (["version \(version), with \(saved.isEmpty ? "nothing" : saved)"] + losses).joined(separator: "\n  ")
  }
}
