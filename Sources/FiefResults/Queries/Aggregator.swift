import FiefGraph
import FiefObjects
import FiefQueries
import FiefSessions

/// Computes sums and other aggregates over the elements of a collection.
struct Aggregator {
  /// The managed elements; nil when they are unmanaged.
  let core: ResultsStorage?
  /// The unmanaged elements.
  let elements: () -> [Any]

  /// An aggregate over a property, or over the elements themselves; nil without values. An average that is requested as
  /// an integer is truncated. Traps when the type cannot hold the result.
  ///
  /// - Parameters:
  ///   - operation: what to compute.
  ///   - name: the property; nil for elements that are not objects.
  ///   - type: the type of the result.
  func value<T: _HasPersistedType>(_ operation: PropertyPath.Aggregate, _ name: String?, as type: T.Type) -> T? {
    guard let kept = type as? any _Persistable.Type else {
      fatalError("Nothing comes out as a '\(type)': give a type that properties can have.")
    }
    let total = total(operation, of: name, as: kept._facts.kind)
    let result = total.result(as: kept._facts.kind)
    if result.isNull { return nil }
    // In two steps: a cast of nil to an optional type succeeds.
    if let found = result.linked == nil ? converted(result, kept) : held(result, name, kept), let value = found as? T {
      return value
    }
    if operation == .sum {
      // The type of the values may have no zero: an enum without a case for it.
      if total.count == 0, let first = kept._makeDefault() as? T { return first }
    } else if let raw = T.PersistedType.self as? any _Persistable.Type, converted(result, raw) != nil {
      // The number of a case that the enum does not have.
      return nil
    }
    Misuse.doesNotFit(result, operation, of: name, as: type)
  }

  /// The sum of a property, or of the elements themselves; 0 without values. Traps when the type cannot hold it.
  func sum<T: _HasPersistedType>(_ name: String?, as type: T.Type) -> T {
    guard let sum = value(.sum, name, as: type) else { fatalError("There is no sum of values of type '\(type)'.") }
    return sum
  }

  private func converted<T: _Persistable>(_ value: StoredValue, _ type: T.Type) -> Any? {
    T._fromAny(value.plain as Any)
  }

  /// The object, list or dictionary that an any-value holds, for its link. Unmanaged elements may hold managed ones.
  private func held<T: _Persistable>(_ link: StoredValue, _ name: String?, _ type: T.Type) -> Any? {
    if let core { return T._decode(link, _StoreContext(core.session)) }
    let values = elements().lazy.compactMap { KeyedElements.value(of: $0, name ?? "self") }
    return values.first { KeyedElements.stored($0)?.linked == link.linked }.flatMap { T._fromAny($0) }
  }

  private func total(
    _ operation: PropertyPath.Aggregate, of name: String?, as kind: ValueKind
  ) -> Accumulator {
    guard let core else { return totalOfEach(operation, of: name, as: kind) }
    let start = LoggedTime.now
    let total = self.total(operation, of: name, in: core, as: kind)
    core.session.report("Aggregate", since: start) { "\(operation) of '\(name ?? "self")'." }
    return total
  }

  private func total(
    _ operation: PropertyPath.Aggregate, of name: String?, in core: ResultsStorage, as kind: ValueKind
  ) -> Accumulator {
    core.checkUseOfValues()
    guard let name, let tables = core.base.tables else {
      // Elements that are no objects have no names, but any-values may be objects.
      return name == nil
        ? KeyedElements.total(of: core.storedValues, operation, kind) : totalOfEach(operation, of: name, as: kind)
    }
    let query = QueryError.trapping {
      try AggregateQuery(
        operation, PropertyPath(text: name), of: tables, in: core.session.layout,
        catalog: StoreCatalog(store: core.session.store))
    }
    return core.total(query)
  }

  /// The total of the values that the elements have at a path of names. Traps for an element without such a value.
  private func totalOfEach(_ operation: PropertyPath.Aggregate, of name: String?, as kind: ValueKind) -> Accumulator {
    let elements = elements()
    if let name { checkType(operation, of: name, in: elements) }
    return KeyedElements.total(
      of: elements.lazy.compactMap { KeyedElements.value(of: $0, name ?? "self") }
        .compactMap(KeyedElements.stored), operation, kind)
  }

  /// Traps for a property whose type has no such aggregate, as an aggregate in a store does. Any-values are excepted:
  /// what they hold may have properties of different types.
  private func checkType(_ operation: PropertyPath.Aggregate, of path: String, in elements: [Any]) {
    var names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let name = names.popLast(), !(elements.first is AnyRealmValue) else { return }
    // The elements are of one class, so the first that leads to the property stands for all.
    let start = names.joined(separator: ".")
    let owner = elements.lazy.compactMap { KeyedElements.value(of: $0, start) }.first
    let object = (owner as? any _ObjectRepresentable)?._object
    let facts = object?.facts(named: name)
    let isSingle = facts.map { $0.shape == .single && !$0.isBacklinks } ?? true
    if owner is any RealmCollectionBase || owner is [Any] || !isSingle {
      QueryError(
        .unsupported, "'\(path)' is no single property, of which alone there are sums and the like."
      ).trap()
    }
    switch facts?.kind {
    case nil, .int, .float, .double, .decimal, .any: break
    case .date where operation == .minimum || operation == .maximum: break
    case let kind?:
      QueryError(.typeMismatch, "'\(path)' is \(kind.phrase), of which there is no \(operation).").trap()
    }
  }
}

extension Misuse {
  fileprivate static func doesNotFit(
    _ result: StoredValue, _ operation: PropertyPath.Aggregate, of name: String?, as type: Any.Type
  ) -> Never {
    let whose = name.map { "'\($0)'" } ?? "the elements"
    let number = result.plain.map { "\($0)" } ?? "null"
    let wider = if case .int = result { "Int" } else { "Decimal128" }
    fatalError(
      "The \(operation) of \(whose) is \(number), which the type '\(type)' cannot hold: ask for a wider type, as in "
        + "'let \(operation): \(wider) ='.")
  }
}
