/// All targets.
public enum FuzzTargets {
  /// Each target once, in the order of the listing.
  public static let all: [any FuzzTarget] = [
    SnapshotTarget(), JournalTarget(), QueryTarget(), ValueTarget(), DocumentTarget(), ProgramTarget(), CopyTarget(),
    TextTarget(), CrashTarget(), ScheduleTarget(), HistoryTarget(), RealmFileTarget(), MigrationTarget(),
  ]

  /// The target with a name.
  public static func named(_ name: String) -> (any FuzzTarget)? { all.first { $0.name == name } }
}
