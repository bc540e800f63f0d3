/// The measures that protect an application's data against loss. Tests can remove each of them, to check that other
/// tests fail without it.
///
/// A store has all of them. The tests of the crash tests open a store without one barrier, and fail if no crash test
/// fails. No other code can reach this.
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
  /// A journal is used only if it belongs to the snapshot (S1).
  package static let pairIsChecked = Barriers(rawValue: 1 << 6)
  /// Records that do not verify are not used. No code path switches this off; the tests correct every checksum when
  /// bytes are read from the disk.
  package static let recordsAreChecked = Barriers(rawValue: 1 << 7)
  /// A writer holds the lock (S14).
  package static let storeIsLocked = Barriers(rawValue: 1 << 8)
  /// An unclean journal is rewritten before the store is used (S12).
  package static let journalIsWrittenAnew = Barriers(rawValue: 1 << 9)
  /// A record that failed is cut off again (S5).
  package static let failedRecordIsCutOff = Barriers(rawValue: 1 << 10)
  /// A failed synchronization ends the writing (S7).
  package static let failedSynchronizationEndsWriting = Barriers(rawValue: 1 << 11)
  /// Commits that arrive during a checkpoint are copied into the new journal (S9).
  package static let lateCommitsAreCopied = Barriers(rawValue: 1 << 12)

  /// A failed append is cut off while no other thread synchronizes. A thread that synchronized meanwhile reports
  /// success only if the store still takes commits (S5).
  package static let cutOffIsAlone = Barriers(rawValue: 1 << 13)
  /// The files under the names of a store are compared with the open files (S16).
  package static let namesAreCompared = Barriers(rawValue: 1 << 14)

  /// All barriers.
  package static let all = Barriers(rawValue: (1 << 15) - 1)

  /// Each single barrier, with its name.
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
