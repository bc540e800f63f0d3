import FiefGraph

/// An ordered collection that is a property of an object.
public final class List<Element: RealmCollectionValue>: CollectionBase {
  /// The elements of an unmanaged list.
  @exclusivity(unchecked) @usableFromInline final var elements: [Element] = []

  /// An unmanaged list without elements.
  public override init() { super.init() }

  public override init(_ place: _CollectionPlace) { super.init(place) }

  deinit {
    if Element.self is ObjectBase.Type { ReleaseQueue.release(&elements) }
  }

  override func contents() -> [(key: String?, content: _Content)] {
    elements.map { (nil, Element._content($0)) }
  }

  override func bind(_ place: CollectionPlace) {
    super.bind(place)
    elements = []
  }
}

extension List: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { count }
  /// The number of elements.
  public var count: Int { place?.count ?? elements.count }

  /// The element at a position.
  public subscript(position: Int) -> Element {
    guard let place else { return elements[position] }
    return Element._fromStored(place.read { $0!.value(at: position, as: place.type.element) }, place.context)
  }
}

extension List {
  /// Adds an element at the end.
  public func append(_ element: Element) {
    guard let place else {
      elements.append(element)
      return
    }
    place.checkWriting()
    place.session.perform { transaction in
      var adder = Adder(place.session, transaction, .error)
      let count = transaction.count(of: place.cell)
      try adder.bring([Element._content(element)], to: place.cell, spot: { _ in .inserted(at: count) }) {
        transaction, value, _ in try transaction.append(value, toList: place.cell)
      }
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension List: _CollectionProperty, AnyPersistedField {
  public typealias PersistedType = List
  public typealias _Storage = List

  public static var _facts: _TypeFacts { .collection(of: Element.self, .list) }

  public func _replaceElements(by other: List) { elements = Array(other) }

  public func _replaceElements(byAny value: Any?) -> Bool {
    guard let value else {
      elements = []
      return true
    }
    guard let sequence = value as? any Sequence, let values = Self.elements(sequence) else { return false }
    elements = values
    return true
  }

  private static func elements<Values: Sequence>(_ values: Values) -> [Element]? {
    var elements: [Element] = []
    for value in values {
      guard let element = Element._fromAny(value) else { return nil }
      elements.append(element)
    }
    return elements
  }
}

extension List: Hashable {
  /// By instance.
  public static func == (a: List, b: List) -> Bool { a === b }
  /// By instance.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
