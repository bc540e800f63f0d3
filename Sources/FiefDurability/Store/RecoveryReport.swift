/// What was saved of a damaged store, and what was not.
public struct RecoveryReport: Sendable {
  /// The version that the new store holds. It is the damaged store's own if all of its snapshot could be read.
  public var version: UInt64 = 0
  /// The application's number of its schema in it.
  public var userVersion: UInt64 = 0
  /// The tables of the new store, with their rows.
  public var tables: [StoreInfo.Table] = []
  /// What was wrong with the damaged store, and what could not be saved: a sentence each; empty when nothing is
  /// missing.
  public var losses: [String] = []
  /// How many commits of the journal were left out, as far as that can be seen.
  public var lostCommits = 0
  /// How many rows could be read and not be saved: because what they belong to is lost, or they are at odds with
  /// others.
  public var lostRows = 0
  /// How many links of rows that were saved led to rows that are lost; they are null, or left out of their collections.
  public var lostLinks = 0

  /// Whether everything was saved.
  public var isComplete: Bool { losses.isEmpty }
}
