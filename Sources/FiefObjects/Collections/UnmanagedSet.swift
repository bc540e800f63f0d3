import FiefCopying
import FiefGraph
import FiefRuntime

/// The elements of an unmanaged set, each once, in insertion order.
///
/// Values are equal when a managed set treats them as equal: `1` and `1.0` among any-values, or two strings with the
/// same bytes.
///
/// An object whose key changes while it is in the set cannot be found, as in a `Set`. It is removed by a condition
/// alone, which leaves its number behind under the earlier key. So a number says nothing without its place in `order`.
package struct UnmanagedSet<Element: RealmCollectionValue> {
  private(set) var elements: [Element] = []
  /// The number of each element, and of some that are gone. A later element has a larger number, and keeps it when
  /// others before it are removed.
  private var numbers: [MeaningKey: Int] = [:]
  /// The numbers of `elements`, ascending.
  private var order: [Int] = []
  /// The number of the next element. No number is given twice, as one that is gone may still stand in `numbers`.
  private var next = 0

  init() {}

  package init(_ elements: [Element]) { for element in elements { insert(element) } }

  func contains(_ element: Element) -> Bool { contains(MeaningKey(Element._encode(element))) }

  /// Logarithmic.
  func contains(_ key: MeaningKey) -> Bool { numbers[key].flatMap { position(of: $0) } != nil }

  /// The position of an element, or nil. Logarithmic.
  func index(of element: Element) -> Int? {
    numbers[MeaningKey(Element._encode(element))].flatMap { position(of: $0) }
  }

  /// The position of the element with a number; nil if it is gone.
  private func position(of number: Int) -> Int? {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if order[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < order.count && order[low] == number ? low : nil
  }

  mutating func insert(_ element: Element) {
    let key = MeaningKey(Element._encode(element))
    if contains(key) { return }
    numbers[key] = next
    order.append(next)
    next += 1
    elements.append(element)
  }

  /// Linear: the later elements move. No element is compared for that.
  mutating func remove(_ element: Element) {
    guard let number = numbers.removeValue(forKey: MeaningKey(Element._encode(element))),
      let position = position(of: number)
    else { return }
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

  func hasSameElements(as other: UnmanagedSet) -> Bool {
    elements.count == other.elements.count && elements.allSatisfy(other.contains)
  }

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
