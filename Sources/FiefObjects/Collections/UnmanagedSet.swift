import FiefCopying
import FiefGraph
import FiefRuntime

/// The elements of an unmanaged set, each once, in insertion order.
///
/// Values are equal when a managed set treats them as equal: `1` and `1.0` among any-values, or two strings with the
/// same bytes.
package struct UnmanagedSet<Element: RealmCollectionValue> {
  private(set) var elements: [Element] = []
  /// The number of each element. A later one has a larger number, and keeps it when others before it are removed.
  private var numbers: [MeaningKey: Int] = [:]
  /// The numbers of `elements`, ascending.
  private var order: [Int] = []

  init() {}

  package init(_ elements: [Element]) { for element in elements { insert(element) } }

  func contains(_ element: Element) -> Bool { contains(MeaningKey(Element._encode(element))) }

  func contains(_ key: MeaningKey) -> Bool { numbers[key] != nil }

  /// The position of an element, or nil. Logarithmic.
  func index(of element: Element) -> Int? {
    numbers[MeaningKey(Element._encode(element))].map { position(of: $0) }
  }

  /// The position of the element with a number.
  private func position(of number: Int) -> Int {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if order[middle] < number { low = middle + 1 } else { high = middle }
    }
    assert(order[low] == number, "Each number belongs to an element.")
    return low
  }

  mutating func insert(_ element: Element) {
    let number = (order.last ?? -1) + 1
    let key = MeaningKey(Element._encode(element))
    if numbers[key] != nil { return }
    numbers[key] = number
    order.append(number)
    elements.append(element)
  }

  /// Linear: the later elements move. No element is compared for that.
  mutating func remove(_ element: Element) {
    guard let number = numbers.removeValue(forKey: MeaningKey(Element._encode(element))) else { return }
    let position = position(of: number)
    order.remove(at: position)
    elements.remove(at: position)
  }

  /// Removes the elements whose keys satisfy a condition. Linear, however many they are.
  mutating func removeAll(where shouldBeRemoved: (MeaningKey) -> Bool) {
    var (rest, restOrder): ([Element], [Int]) = ([], [])
    for (element, number) in zip(elements, order) {
      let key = MeaningKey(Element._encode(element))
      if shouldBeRemoved(key) {
        numbers[key] = nil
      } else {
        rest.append(element)
        restOrder.append(number)
      }
    }
    (elements, order) = (rest, restOrder)
  }

  func hasSameElements(as other: UnmanagedSet) -> Bool { numbers.keys == other.numbers.keys }

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
