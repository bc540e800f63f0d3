import FiefObjects

/// The migrations of an application as steps, one for each schema version.
///
///     configuration.migrations = Migrations {
///       Step(1) { migration in
///         migration.renameProperty(onType: "Person", from: "name", to: "fullName")
///       }
///       Step(2) { migration in
///         migration.enumerateObjects(ofType: "Person") { old, new in
///           new?["age"] = Int(old?["ageText"] as? String ?? "") ?? 0
///         }
///       }
///     }
///
/// The steps above the version of a file run in the order of their versions, in one migration. Each of them leads to
/// the program's classes as they are now: old objects are those of the file, whichever its version. Steps above the
/// configuration's `schemaVersion` do not run.
///
/// A test runs `Realm.rehearseMigration` or opens a file of an old version with `only(1)` to see what one step does.
public struct Migrations: Sendable, CustomStringConvertible {
  /// The type of the steps, for programs with a type `Step` of their own.
  public typealias Step = FiefOpening.Step

  /// The steps, in the order of their versions.
  ///
  ///     print(migrations.steps.map(\.version))
  public let steps: [Step]

  /// Collects steps.
  ///
  ///     let migrations = Migrations {
  ///       Step(1, renaming: ["Hound": "Dog"])
  ///       Step(2) { migration in migration.deleteData(forType: "Draft") }
  ///     }
  ///
  /// Traps when two of them have one version.
  ///
  /// - Parameter steps: the steps, in any order.
  public init(@MigrationsBuilder _ steps: () -> [Step]) { self.init(steps()) }

  private init(_ steps: [Step]) {
    self.steps = steps.sorted { $0.version < $1.version }
    for (step, next) in zip(self.steps, self.steps.dropFirst()) where step.version == next.version {
      fatalError("Two steps lead to schema version \(step.version): make them one, or give one a higher version.")
    }
  }

  /// The versions that the steps lead to, as a string: `steps to the schema versions 1, 2, 5`.
  public var description: String {
    let versions = steps.map { "\($0.version)" }.joined(separator: ", ")
    return steps.isEmpty ? "no steps" : "steps to the schema version\(steps.count == 1 ? "" : "s") \(versions)"
  }

  /// The highest version that a step leads to; 0 without steps.
  ///
  ///     print(migrations.schemaVersion)
  public var schemaVersion: UInt64 { steps.last?.version ?? 0 }

  /// The steps as the block of a configuration.
  ///
  ///     let configuration = Realm.Configuration(schemaVersion: 2, migrationBlock: migrations.block)
  public var block: MigrationBlock {
    { [steps] migration, oldVersion in
      let needed = steps.filter { $0.version > oldVersion && $0.version <= migration.schemaVersion }
      // Classes are renamed before anything is accessed.
      let classes = Self.renamedClasses(by: needed)
      for (old, new) in classes.map({ ($0[0], $0[needed.count]) })
      where old != new && migration.oldSchema[old] != nil { migration.renameClass(from: old, to: new) }
      for (number, step) in needed.enumerated() {
        migration.stage.passingClassNames = Self.passingNames(of: classes, in: number)
        try step.body(migration)
      }
    }
  }

  /// The names of each class that steps rename: the one before the first step, and the one after each. A class may be
  /// renamed more than once.
  private static func renamedClasses(by steps: [Step]) -> [[String]] {
    var classes: [[String]] = []
    for (number, step) in steps.enumerated() {
      let before = classes.map { $0[number] }
      for (index, name) in before.enumerated() { classes[index].append(step.classNames[name] ?? name) }
      for (old, new) in step.classNames.sorted(by: { $0.key < $1.key }) where !before.contains(old) {
        classes.append(Array(repeating: old, count: number + 1) + [new])
      }
    }
    return classes
  }

  /// The names that classes have before or after a step, but neither at first nor at last; and their last names.
  private static func passingNames(of classes: [[String]], in step: Int) -> [String: Set<String>] {
    var passing: [String: Set<String>] = [:]
    for names in classes {
      guard let first = names.first, let last = names.last else { continue }
      for name in names[step...step + 1] where name != first && name != last {
        passing[name, default: []].insert(last)
      }
    }
    return passing
  }

  /// These migrations with the step of one version alone, for tests.
  ///
  ///     configuration.migrations = migrations.only(2)
  ///     let report = try Realm.rehearseMigration(configuration: configuration)
  ///
  /// - Parameter version: the version. Without a step of that version the result has none.
  public func only(_ version: UInt64) -> Migrations { Migrations(steps.filter { $0.version == version }) }
}

/// A step of an application's migrations; see `Migrations`.
///
///     let step = Step(1) { migration in
///       migration.renameProperty(onType: "Dog", from: "name", to: "callName")
///     }
public struct Step: Sendable {
  /// The schema version that the step leads to.
  public let version: UInt64
  /// The classes that were renamed in this version: their new names, by the old ones.
  let classNames: [String: String]
  let body: @Sendable (Migration) throws -> Void

  /// Creates a step.
  ///
  ///     Step(3) { migration in migration.deleteData(forType: "Draft") }
  ///     Step(4, renaming: ["Hound": "Dog"])
  ///
  /// - Parameters:
  ///   - version: the schema version that the step leads to: files of a lower version need it.
  ///   - classNames: the classes that were renamed in this version: their new names, by the old ones. A class that
  ///     the file does not have is left out. All steps can use the class's name in the file or in the program, and
  ///     each step also the names that it has just before and after the step. Using a name that means several classes
  ///     then fails the migration.
  ///   - body: the code. It may throw; the file then stays as it was.
  public init(
    _ version: UInt64, renaming classNames: [String: String] = [:],
    _ body: @escaping @Sendable (_ migration: Migration) throws -> Void = { _ in }
  ) {
    self.version = version
    self.classNames = classNames
    self.body = body
  }
}

/// Collects the steps of `Migrations`.
///
///     let later = [Step(3) { migration in migration.deleteData(forType: "Draft") }]
///     let migrations = Migrations {
///       Step(1, renaming: ["Hound": "Dog"])
///       later
///     }
@resultBuilder
public enum MigrationsBuilder {
  /// One step.
  public static func buildExpression(_ step: Step) -> [Step] { [step] }
  /// Steps that were collected elsewhere.
  public static func buildExpression(_ steps: [Step]) -> [Step] { steps }
  /// All steps of a block.
  public static func buildBlock(_ steps: [Step]...) -> [Step] { steps.flatMap { $0 } }
  /// The steps of a loop.
  public static func buildArray(_ steps: [[Step]]) -> [Step] { steps.flatMap { $0 } }
  /// The steps of an `if` without an `else`.
  public static func buildOptional(_ steps: [Step]?) -> [Step] { steps ?? [] }
  /// The steps of an `if`.
  public static func buildEither(first steps: [Step]) -> [Step] { steps }
  /// The steps of an `else`.
  public static func buildEither(second steps: [Step]) -> [Step] { steps }
  /// The steps of an `if #available`.
  public static func buildLimitedAvailability(_ steps: [Step]) -> [Step] { steps }
}
