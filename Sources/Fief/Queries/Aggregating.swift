import FiefGraph
import FiefQueries
import FiefSessions

/// Computes sums and other aggregates over the elements of a collection.
struct Aggregator {
  /// The managed elements; nil when they are unmanaged.
  let core: ResultsStorage?
  /// The unmanaged elements.
  let elements: () -> [Any]

  /// An aggregate over a property, or over the elements themselves.
  ///
  /// - Parameter name: the property; nil for elements that are not objects.
  func value(_ operation: AggregateQuery.Operation, _ name: String?) -> StoredValue {
    value(operation, name, isDecimal: false)
  }

  /// An aggregate that is requested as a type. A sum of any-values is a decimal, whatever they hold.
  func value<T: _HasPersistedType>(
    _ operation: AggregateQuery.Operation, _ name: String?, _ type: T.Type
  ) -> StoredValue {
    value(operation, name, isDecimal: ElementTotal.kept(type)._facts.kind == .any)
  }

  private func value(_ operation: AggregateQuery.Operation, _ name: String?, isDecimal: Bool) -> StoredValue {
    guard let core else { return unmanaged(operation, name, isDecimal: isDecimal) }
    let start = LoggedTime.now
    let value = managed(core, operation, name, isDecimal: isDecimal)
    core.session.report("Aggregate", since: start) { "\(operation) of '\(name ?? "self")'." }
    return value
  }

  private func managed(
    _ core: ResultsStorage, _ operation: AggregateQuery.Operation, _ name: String?, isDecimal: Bool
  ) -> StoredValue {
    core.checkUseOfValues()
    guard let name, core.base.table != nil || core.base.union != nil else {
      return ElementTotal.of(core.storedValues, operation, isDecimal: isDecimal)
    }
    do {
      if let classes = core.base.union {
        let query = try UnionAggregate(
          operation, PropertyPath(text: name), of: classes.map(\.table), in: core.session.layout,
          catalog: StoreCatalog(store: core.session.store))
        let links = ResultsSource.view(core).links(core.session)
        return core.session.read { query.value(in: $0, among: links) }
      }
      guard let table = core.base.table else { return .null }
      let query = try AggregateQuery(
        operation, PropertyPath(text: name), of: table, in: core.session.layout,
        catalog: StoreCatalog(store: core.session.store))
      return core.total(query)
    } catch {
      error.trap()
    }
  }

  private func unmanaged(_ operation: AggregateQuery.Operation, _ name: String?, isDecimal: Bool) -> StoredValue {
    let values = elements().compactMap { element -> StoredValue? in
      guard let value = KeyedElements.value(of: element, name ?? "self") else { return nil }
      return KeyedElements.stored(value)
    }
    return ElementTotal.of(values, operation, isDecimal: isDecimal)
  }
}

/// Aggregates over stored values.
enum ElementTotal {
  /// - Parameter isDecimal: whether a sum or average is a decimal also when no value is one.
  static func of(
    _ values: some Sequence<StoredValue>, _ operation: AggregateQuery.Operation, isDecimal: Bool = false
  ) -> StoredValue {
    var (count, whole, number, decimal) = (0, Int64(0), 0.0, Decimal128())
    var (isWhole, isDecimal) = (true, isDecimal)
    var best: StoredValue = .null
    for value in values where !value.isNull {
      if operation == .minimum || operation == .maximum {
        let order = StoredOrder.compare(value, best)
        if best.isNull || (operation == .minimum ? order < 0 : order > 0) { best = value }
        continue
      }
      switch value {
      case .int(let value):
        whole &+= value
        number += Double(value)
        decimal = decimal + Decimal128(value)
      case .float(let value):
        isWhole = false
        number += Double(value)
        decimal = decimal + Decimal128(Double(value))
      case .double(let value):
        isWhole = false
        number += value
        decimal = decimal + Decimal128(value)
      case .decimal(let value):
        isDecimal = true
        decimal = decimal + value
      default: continue
      }
      count += 1
    }
    switch operation {
    case .minimum, .maximum: return best
    case .count: return .int(Int64(count))
    case .sum: return isDecimal ? .decimal(decimal) : isWhole ? .int(whole) : .double(number)
    case .average:
      if count == 0 { return .null }
      return isDecimal ? .decimal(decimal / Decimal128(count)) : .double(number / Double(count))
    }
  }

  /// A number converted to another type: averages of integers are truncated.
  static func result<T: _HasPersistedType>(_ value: StoredValue, as type: T.Type) -> T? {
    if value.isNull { return nil }
    guard let result = converted(value, kept(type)) else { return nil }
    return result as? T
  }

  /// The sum of an empty collection.
  static func zero<T: _HasPersistedType>(_ type: T.Type) -> T {
    guard let zero = result(.int(0), as: type) ?? kept(type)._makeDefault() as? T else {
      fatalError("There is no sum of values of type '\(type)'.")
    }
    return zero
  }

  /// The type as a persistable type, as every type with a stored form is.
  static func kept<T: _HasPersistedType>(_ type: T.Type) -> any _Persistable.Type {
    guard let kept = type as? any _Persistable.Type else {
      fatalError("Nothing comes out as a '\(type)': give a type that properties can have.")
    }
    return kept
  }

  private static func converted<T: _Persistable>(_ value: StoredValue, _ type: T.Type) -> T? {
    let kind = T._facts.kind
    var wanted = value
    switch (kind, value) {
    case (.int, .double(let number)): wanted = .int(Int64(exactly: number.rounded(.towardZero)) ?? 0)
    case (.int, .decimal(let number)): wanted = .int(Int64(exactly: number.doubleValue.rounded(.towardZero)) ?? 0)
    case (.float, .int(let number)): wanted = .float(Float(number))
    case (.float, .double(let number)): wanted = .float(Float(number))
    case (.float, .decimal(let number)): wanted = .float(Float(number.doubleValue))
    case (.double, .int(let number)): wanted = .double(Double(number))
    case (.double, .float(let number)): wanted = .double(Double(number))
    case (.double, .decimal(let number)): wanted = .double(number.doubleValue)
    case (.decimal, .int(let number)): wanted = .decimal(Decimal128(number))
    case (.decimal, .float(let number)): wanted = .decimal(Decimal128(Double(number)))
    case (.decimal, .double(let number)): wanted = .decimal(Decimal128(number))
    default: break
    }
    return T._fromAny(wanted.plain as Any)
  }
}
