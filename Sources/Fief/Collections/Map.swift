import FiefGraph

/// Values under keys, as a property of an object.
public final class Map<Key: _MapKey, Value: RealmCollectionValue>: CollectionBase {
  /// The entries of an unmanaged map.
  @exclusivity(unchecked) @usableFromInline final var elements: [Key: Value] = [:]

  /// An unmanaged map without entries.
  public override init() { super.init() }

  public override init(_ place: _CollectionPlace) { super.init(place) }

  override func contents() -> [(key: String?, content: _Content)] {
    elements.map { ($0.key as? String, Value._content($0.value)) }
  }

  override func bind(_ place: CollectionPlace) {
    super.bind(place)
    elements = [:]
  }
}

extension Map {
  var keyedElements: [(String, Value)] { elements.map { ($0.key as? String ?? "", $0.value) } }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Map: _CollectionProperty, AnyPersistedField {
  public typealias PersistedType = Map
  public typealias _Storage = Map

  public static var _facts: _TypeFacts { .collection(of: Value.self, .dictionary) }

  public func _replaceElements(by other: Map) { elements = other.elements }

  public func _replaceElements(byAny value: Any?) -> Bool {
    guard let value else {
      elements = [:]
      return true
    }
    guard let dictionary = value as? [String: Any] else { return false }
    var elements: [Key: Value] = [:]
    for (key, value) in dictionary {
      guard let key = key as? Key, let element = Value._fromAny(value) else { return false }
      elements[key] = element
    }
    self.elements = elements
    return true
  }
}

extension Map: Hashable {
  /// By instance.
  public static func == (a: Map, b: Map) -> Bool { a === b }
  /// By instance.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
