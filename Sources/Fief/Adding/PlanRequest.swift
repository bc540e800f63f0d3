import FiefCopying

/// The task of a planner. A request is replaced as a whole and never edited.
struct PlanRequest {
  /// The use of the root.
  enum Root {
    /// It becomes a row of its own.
    case stored
    /// It may be embedded, since the caller has an owner for it.
    case owned
    /// It may be asymmetric, since nothing is stored.
    case ingested
  }

  let mode: InsertionPlanner.Mode
  let policy: Realm.UpdatePolicy
  let root: Root
  /// The options of `Realm.copy`; all other operations copy everything.
  let options: CopyOptions
  /// Whether cycles are copied; otherwise they are errors.
  let keepsCycles: Bool
  /// Whether rows of the session itself are also copied, instead of being linked to.
  let copiesOwnRows: Bool

  /// A request of any operation but `Realm.copy`.
  init(_ mode: InsertionPlanner.Mode, _ policy: Realm.UpdatePolicy, root: Root = .stored) {
    self.mode = mode
    self.policy = policy
    self.root = root
    options = CopyOptions()
    keepsCycles = false
    copiesOwnRows = false
  }

  /// A request of `Realm.copy`.
  init(copying options: CopyOptions) {
    mode = .copy
    policy = options.keys == .merge ? .modified : .error
    root = .stored
    self.options = options
    keepsCycles = options.cycles == .preserve
    copiesOwnRows = true
  }
}
