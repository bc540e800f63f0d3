import FiefCopying
import FiefGraph
import FiefRuntime

/// The elements of an unmanaged set, each once, in insertion order.
///
/// Values are equal when a managed set treats them as equal: `1` and `1.0` among any-values, or two strings with the
/// same bytes.
package struct UnmanagedSet<Element: RealmCollectionValue> {
  private(set) var elements: [Element] = []
  private var present: Set<MeaningKey> = []

  init() {}

  package init(_ elements: [Element]) { for element in elements { insert(element) } }

  func contains(_ element: Element) -> Bool { contains(MeaningKey(Element._encode(element))) }

  func contains(_ key: MeaningKey) -> Bool { present.contains(key) }

  /// The position of an element, or nil. Linear.
  func index(of element: Element) -> Int? {
    let key = MeaningKey(Element._encode(element))
    return present.contains(key) ? elements.firstIndex { MeaningKey(Element._encode($0)) == key } : nil
  }

  mutating func insert(_ element: Element) {
    if present.insert(MeaningKey(Element._encode(element))).inserted { elements.append(element) }
  }

  /// Linear.
  mutating func remove(_ element: Element) {
    let key = MeaningKey(Element._encode(element))
    guard present.remove(key) != nil else { return }
    elements.removeAll { MeaningKey(Element._encode($0)) == key }
  }

  /// Removes the elements whose keys satisfy a condition. Linear, however many they are.
  mutating func removeAll(where shouldBeRemoved: (MeaningKey) -> Bool) {
    var rest: [Element] = []
    for element in elements {
      let key = MeaningKey(Element._encode(element))
      if shouldBeRemoved(key) { present.remove(key) } else { rest.append(element) }
    }
    elements = rest
  }

  func hasSameElements(as other: UnmanagedSet) -> Bool { present == other.present }

  /// Removes and returns all elements.
  mutating func takeElements() -> [Element] {
    let taken = elements
    self = UnmanagedSet()
    return taken
  }
}

extension RealmCollectionValue {
  /// Whether two elements of unmanaged collections are equal: by their own `==`, and stored strings also by their
  /// bytes, as in managed collections.
  static func areEqual(_ a: Self, _ b: Self) -> Bool {
    guard a == b else { return false }
    guard _facts.kind == .string, case .value(.string(let a)) = _encode(a), case .value(.string(let b)) = _encode(b)
    else { return true }
    return ByteOrder.areIdentical(a, b)
  }
}

/// The identity of a set's element: objects use their own equality, values that of `StoredOrder`.
enum MeaningKey: Hashable {
  case object(ObjectBase)
  case value(StoredValue)
  /// A list or a dictionary, which a realm rejects as an element of a set. It equals no other.
  case collection

  init(_ content: _PropertyContent) {
    switch content {
    case .object(let object): self = .object(object)
    case .value(let value): self = .value(value)
    case .collection: self = .collection
    }
  }

  static func == (a: MeaningKey, b: MeaningKey) -> Bool {
    switch (a, b) {
    case (.object(let a), .object(let b)): a == b
    case (.value(let a), .value(let b)): a.isNull == b.isNull && StoredOrder.compare(a, b) == 0
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .object(let object): hasher.combine(object)
    case .collection: hasher.combine(0)
    case .value(let value):
      // Numbers of different types can be one element, so all of them hash their nearest double-precision value.
      switch value {
      case .int(let number): hasher.combine(Double(number))
      case .float(let number): hasher.combine(number.isNaN ? 0 : Double(number))
      case .double(let number): hasher.combine(number.isNaN ? 0 : number)
      case .decimal(let number): hasher.combine(number.isNaN ? 0 : number.doubleValue)
      default: hasher.combine(HashedValue(value))
      }
    }
  }
}
