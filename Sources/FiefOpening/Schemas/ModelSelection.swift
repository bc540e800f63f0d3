import FiefGraph
import FiefObjects
import FiefSessions
import Synchronization

/// A set of classes for stores: those that a configuration names, or all classes of the program. It caches what opening
/// derives from them, once per process.
final class ModelSelection: Sendable {
  let models: [ModelClass]
  /// The tables that the classes declare.
  let declarations: [TableDeclaration]
  /// Whether the tables are those of a schema that was made at run time, without classes.
  let isDynamic: Bool
  /// The classes of the program that were left out, each with an error message for its use.
  let leftOut: [ObjectIdentifier: String]
  /// The results that were last derived for stores of these classes.
  private let made = Mutex(Made())

  private struct Made {
    /// The first version of a new store.
    var fresh: Graph?
    /// The bindings for the tables of the store that was opened last.
    var bindings: StoreBindings?
  }

  private init(
    _ models: [ModelClass], _ problems: [String] = [], leavingOut leftOut: [ObjectIdentifier: String] = [:]
  ) throws {
    let problems = problems + ModelChecks.check(models)
    guard problems.isEmpty else { throw Self.refusal(of: problems) }
    self.models = models
    isDynamic = false
    declarations =
      models.map(\.tableDeclaration) + (models.contains { $0.kind == .asymmetric } ? [OutboxTable.declaration] : [])
    self.leftOut = leftOut
  }

  /// The tables of a schema that was made at run time.
  init(_ schema: DynamicSchema) throws {
    let problems = schema.problems
    guard problems.isEmpty else { throw Self.refusal(of: problems) }
    (models, leftOut, declarations, isDynamic) = ([], [:], schema.declarations, true)
  }

  private static func refusal(of problems: [String]) -> Realm.Error {
    Realm.Error(
      .fail,
      "Schema validation failed due to the following errors:\n" + problems.map { "- \($0)" }.joined(separator: "\n"))
  }

  // MARK: Choosing

  /// Returns the classes that a configuration names.
  ///
  /// - Throws: `.fail` with all problems of all classes, one per line.
  static func named(_ types: [ObjectBase.Type]) throws -> ModelSelection {
    try known(Key(types, isNamed: true)) {
      var seen: Set<ObjectIdentifier> = []
      let types = types.filter { seen.insert(ObjectIdentifier($0)).inserted }
      return try ModelSelection(
        types.filter { !$0.isBaseClass }.map(ModelClass.of),
        types.filter(\.isBaseClass).map {
          "Class '\($0.className())' in objectTypes is the base of model classes and none itself."
        })
    }
  }

  /// Returns all classes of the program for the default schema.
  ///
  /// Classes that share a name cannot be distinguished. They are left out, together with all classes that link to them.
  /// A realm that uses none of these classes still opens.
  ///
  /// - Throws: `.fail` with all problems of all classes, one per line.
  static func ofProgram() throws -> ModelSelection {
    guard let models = ModelDiscovery.models() else {
      throw Realm.Error(
        .fail,
        "The classes of this program cannot be found on this platform: list them in the configuration's objectTypes.")
    }
    let types = models.filter {
      !$0.isBaseClass && !$0._realmIgnoreClass() && $0.shouldIncludeInDefaultSchema()
    }
    return try known(Key(types, isNamed: false)) { try ofProgram(types) }
  }

  private static func ofProgram(_ types: [ObjectBase.Type]) throws -> ModelSelection {
    var models = types.map(ModelClass.of).sorted { ($0.name, $0.qualifiedName) < ($1.name, $1.qualifiedName) }
    var leftOut: [ObjectIdentifier: String] = [:]
    for (name, group) in Dictionary(grouping: models, by: \.name) {
      let plain = group.filter { $0.type._realmObjectName() == nil }
      guard plain.count > 1 else { continue }
      let all = plain.map { "'\($0.qualifiedName)'" }.joined(separator: " and ")
      for model in plain {
        leftOut[ObjectIdentifier(model.type)] =
          "Object type '\(name)' is not managed by the Realm: the program has several classes of that name (\(all)); "
          + "list the one to use in objectTypes, or give it another name by _realmObjectName()."
      }
    }
    // A class that links to a class that is left out is left out, too. Each round leaves out at least one more.
    var isChanging = !leftOut.isEmpty
    while isChanging {
      isChanging = false
      for model in models where leftOut[ObjectIdentifier(model.type)] == nil {
        let missing = model.properties.compactMap(\.facts.target).first { leftOut[ObjectIdentifier($0)] != nil }
        guard let missing else { continue }
        leftOut[ObjectIdentifier(model.type)] =
          "Object type '\(model.name)' is not managed by the Realm: it links to '\(missing.className())', and the "
          + "program has several classes of that name; list the ones to use in objectTypes."
        isChanging = true
      }
    }
    models.removeAll { leftOut[ObjectIdentifier($0.type)] != nil }
    return try ModelSelection(models, leavingOut: leftOut)
  }

  // MARK: Caching

  private struct Key: Hashable {
    let types: Set<ObjectIdentifier>
    let isNamed: Bool

    init(_ types: [ObjectBase.Type], isNamed: Bool) {
      self.types = Set(types.map { ObjectIdentifier($0) })
      self.isNamed = isNamed
    }
  }

  private static let known = Mutex<[Key: ModelSelection]>([:])
  /// More sets than a program normally has. A program that keeps creating new sets recomputes them now and then.
  private static let limit = 64

  private static func known(_ key: Key, _ make: () throws -> ModelSelection) rethrows -> ModelSelection {
    if let known = known.withLock({ $0[key] }) { return known }
    // Created outside the lock: describing a class runs application initializers.
    let made = try make()
    return known.withLock { known in
      if let other = known[key] { return other }
      if known.count >= limit { known = [:] }
      known[key] = made
      return made
    }
  }

  /// Returns the first version of a new store.
  func freshGraph() throws -> Graph {
    if let known = made.withLock({ $0.fresh }) { return known }
    let transaction = Transaction(.empty)
    try SchemaLayout(declarations, over: .empty, .sameVersion).apply(to: transaction)
    let fresh = transaction.successor
    made.withLock { $0.fresh = fresh }
    return fresh
  }

  /// Returns the bindings of the classes to the tables of a graph.
  func bindings(in graph: Graph) throws -> StoreBindings {
    let tables = StoreBindings.tables(of: models, in: graph)
    if let known = made.withLock({ $0.bindings }), known.tables == tables { return known }
    let bindings = try StoreBindings(models, tables)
    made.withLock { $0.bindings = bindings }
    return bindings
  }
}
