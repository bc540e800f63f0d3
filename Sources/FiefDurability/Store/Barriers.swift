/// The things between an application's data and its loss, each of which tests can take away to see whether anyone
/// notices.
///
/// A store has all of them. The tests of the tests open one without one of them, and fail if none of the crash tests
/// catches it. Nothing else can reach this.
package struct Barriers: OptionSet, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A commit is synchronized before it is acknowledged (S4).
  package static let commitIsSynchronized = Barriers(rawValue: 1 << 0)
  /// A snapshot is synchronized before it gets its name (S3).
  package static let snapshotIsSynchronized = Barriers(rawValue: 1 << 1)
  /// A journal is synchronized before it gets its name (S3).
  package static let journalIsSynchronized = Barriers(rawValue: 1 << 2)
  /// The snapshot's name is synchronized before the journal is replaced (S9).
  package static let snapshotNameIsSynchronized = Barriers(rawValue: 1 << 3)
  /// The journal's name is synchronized before anything relies on it (S9, S11).
  package static let journalNameIsSynchronized = Barriers(rawValue: 1 << 4)
  /// Files are written beside the old ones and renamed (S3).
  package static let filesAreRenamed = Barriers(rawValue: 1 << 5)
  /// A journal is taken only if it belongs to the snapshot (S1).
  package static let pairIsChecked = Barriers(rawValue: 1 << 6)
  /// Records that do not verify are not taken. There is no way to switch this off; the tests put every checksum right
  /// on the way from the disk.
  package static let recordsAreChecked = Barriers(rawValue: 1 << 7)
  /// Who writes holds the lock (S14).
  package static let storeIsLocked = Barriers(rawValue: 1 << 8)
  /// An unclean journal is written anew before it is served (S12).
  package static let journalIsWrittenAnew = Barriers(rawValue: 1 << 9)
  /// A record that failed is cut off again (S5).
  package static let failedRecordIsCutOff = Barriers(rawValue: 1 << 10)
  /// A failed synchronization ends the writing (S7).
  package static let failedSynchronizationEndsWriting = Barriers(rawValue: 1 << 11)
  /// Commits that come during a checkpoint are copied into the new journal (S9).
  package static let lateCommitsAreCopied = Barriers(rawValue: 1 << 12)

  /// A failed append is cut off while nobody else synchronizes, and who synchronized meanwhile looks whether the store
  /// goes on (S5).
  package static let cutOffIsAlone = Barriers(rawValue: 1 << 13)
  /// The files under the names of a store are compared with those that are open (S16).
  package static let namesAreCompared = Barriers(rawValue: 1 << 14)

  /// Every one.
  package static let all = Barriers(rawValue: (1 << 15) - 1)

  /// Each by itself, with its name.
  package static let each: [(name: String, barrier: Barriers)] = [
    ("commitIsSynchronized", .commitIsSynchronized), ("snapshotIsSynchronized", .snapshotIsSynchronized),
    ("journalIsSynchronized", .journalIsSynchronized), ("snapshotNameIsSynchronized", .snapshotNameIsSynchronized),
    ("journalNameIsSynchronized", .journalNameIsSynchronized), ("filesAreRenamed", .filesAreRenamed),
    ("pairIsChecked", .pairIsChecked), ("recordsAreChecked", .recordsAreChecked),
    ("storeIsLocked", .storeIsLocked), ("journalIsWrittenAnew", .journalIsWrittenAnew),
    ("failedRecordIsCutOff", .failedRecordIsCutOff),
    ("failedSynchronizationEndsWriting", .failedSynchronizationEndsWriting),
    ("lateCommitsAreCopied", .lateCommitsAreCopied), ("cutOffIsAlone", .cutOffIsAlone),
    ("namesAreCompared", .namesAreCompared),
  ]
}
