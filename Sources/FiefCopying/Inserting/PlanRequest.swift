/// The task of a planner. A request is replaced as a whole and never edited.
package struct PlanRequest {
  package enum Root {
    /// It becomes a row of its own.
    case stored
    /// It may be embedded, since the caller has an owner for it.
    case owned
    /// It may be asymmetric, since nothing is stored.
    case ingested
    /// It becomes a row of its own, and an update policy is allowed for a class without a primary key, whose object is
    /// then new.
    case seeded
  }

  /// The properties of the root that are planned.
  package enum Part {
    case whole
    /// Those that hold no links; a new row gets the defaults of the others.
    case values
    /// Those that can hold links.
    case links
  }

  package let mode: InsertionPlanner.Mode
  package let policy: PlanPolicy
  package let root: Root
  /// The options of a copy; all other operations copy everything.
  package let options: CopyOptions
  /// Whether cycles are copied; otherwise they are errors.
  package let keepsCycles: Bool
  /// Whether rows of the store itself are also copied, instead of being linked to.
  package let copiesOwnRows: Bool
  /// The references of the document that is read; nil for all other operations.
  package let document: DocumentReferences?
  package let part: Part

  /// A request of an operation without options.
  package init(_ mode: InsertionPlanner.Mode, _ policy: PlanPolicy, root: Root = .stored) {
    self.mode = mode
    self.policy = policy
    self.root = root
    options = CopyOptions()
    keepsCycles = false
    copiesOwnRows = false
    document = nil
    part = .whole
  }

  /// A request of reading an object of a document of a store: first its values, and its links when all rows exist.
  package init(reading document: DocumentReferences, _ part: Part) {
    mode = .copy
    policy = .modified
    root = .seeded
    options = CopyOptions()
    keepsCycles = false
    copiesOwnRows = false
    self.document = document
    self.part = part
  }

  package init(copying options: CopyOptions) {
    mode = .copy
    policy = options.keys == .merge ? .modified : .error
    root = .stored
    self.options = options
    keepsCycles = options.cycles == .preserve
    copiesOwnRows = true
    document = nil
    part = .whole
  }

  /// Whether rows are copied with all of their values and their keys.
  var copiesRowsWhole: Bool { mode == .copy && options.isWhole && options.keys != .regenerate && root != .ingested }
}
