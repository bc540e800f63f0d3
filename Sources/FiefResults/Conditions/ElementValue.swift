import FiefCopying
import FiefGraph
import FiefObjects
import FiefQueries
import FiefRuntime

/// The value of a property of an object, in the form that conditions are evaluated on.
enum ElementValue {
  case value(StoredValue)
  case object(ObjectBase)
  /// The elements of a list, of a set, or of linking objects.
  case elements([ElementValue])
  /// The entries of a map.
  case entries([(key: String, value: ElementValue)])
  /// A list or a dictionary inside an any-value.
  case nested(AnyRealmValue)

  /// The single value; nil for objects and collections.
  var single: StoredValue? { if case .value(let value) = self { value } else { nil } }

  /// The class of an object; nil for all else.
  var model: ModelClass? { if case .object(let object) = self { object.model } else { nil } }

  func value(of property: ModelProperty) -> ElementValue {
    guard case .object(let object) = self else { return .value(.null) }
    let value = object.value(named: property.name)
    // Reading an any-value by its name may return its content.
    if property.facts.kind == .any && !property.facts.isCollection, let value, DynamicValue.isObject(value) {
      if let list = value as? List<AnyRealmValue> { return .nested(.list(list)) }
      if let map = value as? Map<String, AnyRealmValue> { return .nested(.dictionary(map)) }
    }
    return ElementValue(value)
  }

  init(_ any: Any?) {
    guard let value = any.flatMap(flattened) else {
      self = .value(.null)
      return
    }
    func elements<C: Sequence>(_ elements: C) -> ElementValue { .elements(elements.map { ElementValue($0) }) }
    func entries<M: RealmKeyedCollection>(_ map: M) -> ElementValue {
      .entries(zip(map.keys, map.values).map { ($0 as? String ?? "\($0)", ElementValue($1)) })
    }
    switch value {
    case AnyRealmValue.list, AnyRealmValue.dictionary:
      self = (value as? AnyRealmValue).map { .nested($0) } ?? .value(.null)
    case let map as any RealmKeyedCollection: self = entries(map)
    case let collection as any RealmCollectionBase: self = elements(collection)
    default:
      // The class of a dynamic object, for example, is not a type of elements.
      let object = DynamicValue.cast(value, to: ObjectBase.self)
      switch object.map({ .object($0) }) ?? (value as? any RealmCollectionValue)?.content {
      case .value(let stored): self = .value(stored)
      case .object(let object): self = .object(object)
      default: self = .value(.null)
      }
    }
  }

  /// The value under a subscript; null if it is missing.
  func part(_ step: PropertyPath.Component) -> ElementValue {
    switch (step, self) {
    case (.key(let key), .entries(let entries)):
      entries.first { ByteOrder.areIdentical($0.key, key) }?.value ?? .value(.null)
    case (.key(let key), .nested(.dictionary(let map))): ElementValue(map[key])
    case (.index(let index), .nested(.list(let list))): index < list.count ? ElementValue(list[index]) : .value(.null)
    default: .value(.null)
    }
  }

  /// The value as a part of an any-value.
  var part: NestedConstant.Part<ElementValue> {
    switch self {
    case .nested(.list(let list)): .list(list.map { ElementValue($0) })
    case .nested(.dictionary(let map)):
      .dictionary(Dictionary(map.keys.map { (IdenticalText($0), ElementValue(map[$0])) }, uniquingKeysWith: { $1 }))
    default: .value(stored([]))
    }
  }

  /// The elements or values of a collection; nil for a single value.
  var members: [ElementValue]? {
    switch self {
    case .elements(let elements): elements
    case .entries(let entries): entries.map(\.value)
    case .nested(.list(let list)): list.map { ElementValue($0) }
    case .nested(.dictionary(let map)): map.values.map { ElementValue($0) }
    case .nested, .value, .object: nil
    }
  }

  /// The keys of a map; empty for all else.
  var keys: [String] { if case .entries(let entries) = self { entries.map(\.key) } else { [] } }

  /// The value as the kernel compares it.
  ///
  /// - Parameter origins: the stores of the objects on the other side; an object of another store equals none of these.
  func stored(_ origins: [UInt64]) -> StoredValue {
    switch self {
    case .value(let value): return value
    case .object(let object):
      var own: [UInt64] = []
      let link = QueryArguments.link(object, &own)
      if !origins.isEmpty, let store = own.first, !origins.contains(store) { return Self.nothing }
      return link
    // It equals no constant.
    case .elements, .entries, .nested: return Self.nothing
    }
  }

  private static let nothing = StoredValue.link(ObjectLink(.nestedLists, ObjectKey(-1)))
}

extension ModelClass {
  /// The property with a name; nil when the class has none.
  func property(named name: String) -> ModelProperty? { number(of: name).map { properties[$0] } }
}

extension ModelProperty {
  /// The class of its objects, if they are objects.
  var target: ModelClass? { facts.kind == .link ? facts.target.map(ModelClass.of) : nil }
}

extension _TypeFacts {
  /// Whether conditions see a collection. Backlinks are one.
  var isCollection: Bool { shape != .single || isBacklinks }
}
