/// Which properties of which classes a copy takes along.
///
///     realm.copy(person, properties: .except(\Person.diary).except(\Dog.owner))
///     dog.detached(properties: .only(\Dog.name, \Dog.age))
///
/// What is left out has its declared default in the copy. Primary keys are always copied, and classes of which nothing
/// is said are copied whole.
public struct CopyFilter: Sendable {
  /// Of one class: the properties that are named are the only ones, or the ones that are left out.
  private struct Rule {
    var isOnly: Bool
    var names: Set<String>

    func allows(_ name: String) -> Bool { names.contains(name) == isOnly }
  }

  private var rules: [String: Rule] = [:]
  private var conditions: [@Sendable (_ className: String, _ property: String) -> Bool] = []

  /// Every property.
  public static let all = CopyFilter()

  /// Every property but those named.
  ///
  /// Traps for key paths that lead through more than one property, or none.
  public static func except<Root: ObjectBase>(_ properties: PartialKeyPath<Root>...) -> CopyFilter {
    all.adding(Root.self, properties, isOnly: false)
  }

  /// Of the class of the key paths the named properties alone; of other classes everything.
  ///
  /// Traps for key paths that lead through more than one property, or none.
  public static func only<Root: ObjectBase>(_ properties: PartialKeyPath<Root>...) -> CopyFilter {
    all.adding(Root.self, properties, isOnly: true)
  }

  /// Properties that satisfy a condition, which is asked with the name of the class and that of the property.
  public static func matching(
    _ condition: @escaping @Sendable (_ className: String, _ property: String) -> Bool
  ) -> CopyFilter {
    var filter = all
    filter.conditions.append(condition)
    return filter
  }

  /// The same filter, which leaves out these properties too.
  public func except<Root: ObjectBase>(_ properties: PartialKeyPath<Root>...) -> CopyFilter {
    adding(Root.self, properties, isOnly: false)
  }

  /// The same filter, which takes of this class the named properties alone.
  public func only<Root: ObjectBase>(_ properties: PartialKeyPath<Root>...) -> CopyFilter {
    adding(Root.self, properties, isOnly: true)
  }

  private func adding<Root: ObjectBase>(
    _ type: Root.Type, _ keyPaths: [PartialKeyPath<Root>], isOnly: Bool
  ) -> CopyFilter {
    let names = Set(keyPaths.map { _name(for: $0) })
    for name in names where name.contains(".") {
      fatalError("A copy is told of properties one by one: '\(name)' leads through several.")
    }
    let className = ModelClass.of(type).name
    var filter = self
    guard var rule = filter.rules[className] else {
      filter.rules[className] = Rule(isOnly: isOnly, names: names)
      return filter
    }
    switch (rule.isOnly, isOnly) {
    case (true, true): rule.names.formIntersection(names)
    case (true, false): rule.names.subtract(names)
    case (false, false): rule.names.formUnion(names)
    case (false, true): rule = Rule(isOnly: true, names: names.subtracting(rule.names))
    }
    filter.rules[className] = rule
    return filter
  }

  /// Whether nothing is left out.
  var isAll: Bool { rules.isEmpty && conditions.isEmpty }

  /// Whether a property is copied.
  func allows(_ className: String, _ property: String) -> Bool {
    if let rule = rules[className], !rule.allows(property) { return false }
    return conditions.allSatisfy { $0(className, property) }
  }
}
