/// The properties that a copy includes, for each class.
///
///     realm.copy(person, properties: .except(\Person.diary).except(\Dog.owner))
///     dog.detached(properties: .only(\Dog.name, \Dog.age))
///
/// Properties that are left out have their declared defaults in the copy. Primary keys are always copied, and classes
/// without a rule are copied whole. A rule for a class also holds for what its subclasses inherit from it, and not for
/// what they add. Several rules for one class combine: a property is copied if all of them include it.
public struct CopyFilter: Sendable {
  /// The rule of one class: the named properties are the only ones to copy, or the ones to leave out.
  private struct Rule {
    var isOnly: Bool
    var names: Set<String>
    /// All properties of the class.
    let all: Set<String>

    func allows(_ name: String, isInherited: Bool) -> Bool {
      if isOnly && isInherited && !all.contains(name) { return true }
      return names.contains(name) == isOnly
    }
  }

  private var rules: [String: Rule] = [:]
  private var conditions: [@Sendable (_ className: String, _ property: String) -> Bool] = []

  /// Every property.
  public static let all = CopyFilter()

  /// Properties that satisfy a condition, which receives the names of the class and of the property.
  ///
  ///     let copy = dog.detached(properties: .matching { className, property in !property.hasPrefix("cached") })
  ///
  /// - Parameter condition: returns whether the property of the class is copied. It receives the stored name of the
  ///   class and the Swift name of the property.
  public static func matching(
    _ condition: @escaping @Sendable (_ className: String, _ property: String) -> Bool
  ) -> CopyFilter {
    var filter = all
    filter.conditions.append(condition)
    return filter
  }

  /// A copy of this filter with one more rule: the named properties of a class are the only ones to copy, or the ones
  /// to leave out.
  package func adding(_ rowClass: RowClass, _ names: Set<String>, isOnly: Bool) -> CopyFilter {
    var filter = self
    guard var rule = filter.rules[rowClass.name] else {
      filter.rules[rowClass.name] = Rule(isOnly: isOnly, names: names, all: Set(rowClass.all.map(\.name)))
      return filter
    }
    switch (rule.isOnly, isOnly) {
    case (true, true): rule.names.formIntersection(names)
    case (true, false): rule.names.subtract(names)
    case (false, false): rule.names.formUnion(names)
    case (false, true): rule = Rule(isOnly: true, names: names.subtracting(rule.names), all: rule.all)
    }
    filter.rules[rowClass.name] = rule
    return filter
  }

  /// Whether the filter leaves nothing out.
  package var isAll: Bool { rules.isEmpty && conditions.isEmpty }

  package func allows(_ rowClass: RowClass, _ property: String) -> Bool {
    if let rule = rules[rowClass.name], !rule.allows(property, isInherited: false) { return false }
    for name in rowClass.superclasses {
      if let rule = rules[name], !rule.allows(property, isInherited: true) { return false }
    }
    return conditions.allSatisfy { $0(rowClass.name, property) }
  }
}
