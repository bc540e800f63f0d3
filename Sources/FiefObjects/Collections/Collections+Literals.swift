import FiefGraph
import FiefRuntime

// Collections out of literals and sequences. A property copies the elements of what is assigned to it.

extension List: ExpressibleByArrayLiteral {
  /// An unmanaged list of the elements of a sequence.
  ///
  ///     let names = List(dogs.map(\.name))
  ///     try realm.write { person.lucky = List(1...3) }
  ///
  /// - Complexity: linear in the elements.
  public convenience init<S: Sequence>(_ elements: S) where S.Element == Element {
    self.init()
    unmanaged = Array(elements)
  }

  /// An unmanaged list of the elements.
  ///
  ///     try realm.write { dog.tags = ["good", "small"] }
  public convenience init(arrayLiteral elements: Element...) { self.init(elements) }

  /// Whether a list, managed or not, has exactly these elements in this order. Objects are equal if they are the same
  /// row or instance, and strings if their bytes are equal.
  ///
  ///     if dog.tags == ["good", "small"] { print("A good small dog.") }
  ///
  /// - Complexity: linear in the elements.
  public static func == (list: List, elements: [Element]) -> Bool {
    list.count == elements.count && list.elementsEqual(elements, by: isSameElement)
  }

  /// Whether a list differs from these elements.
  public static func != (list: List, elements: [Element]) -> Bool { !(list == elements) }
}

extension MutableSet: ExpressibleByArrayLiteral {
  /// An unmanaged set of the elements of a sequence.
  ///
  ///     try realm.write { person.tags = MutableSet(others.map(\.name)) }
  ///
  /// - Complexity: linear in the elements.
  public convenience init<S: Sequence>(_ elements: S) where S.Element == Element {
    self.init()
    insert(objectsIn: elements)
  }

  /// An unmanaged set of the elements.
  ///
  ///     try realm.write { person.tags = ["tall", "shy"] }
  public convenience init(arrayLiteral elements: Element...) { self.init(elements) }

  /// Whether a set, managed or not, has exactly these elements, in any order; one that is given twice counts once.
  ///
  ///     if person.tags == ["tall", "shy"] { print("Tall and shy.") }
  ///
  /// - Complexity: O(m log n) for m elements and a set of n.
  public static func == (set: MutableSet, elements: [Element]) -> Bool {
    let given = MutableSet(elements)
    return set.count == given.count && given.allSatisfy(set.contains)
  }

  /// Whether a set differs from these elements.
  public static func != (set: MutableSet, elements: [Element]) -> Bool { !(set == elements) }
}

extension Map: ExpressibleByDictionaryLiteral {
  /// An unmanaged map of entries.
  ///
  ///     try realm.write { person.scores = Map(uniqueKeysWithValues: zip(games, scores)) }
  ///
  /// - Parameter entries: keys and values. Traps when a key is given twice.
  /// - Complexity: linear in the entries.
  public convenience init<S: Sequence>(uniqueKeysWithValues entries: S) where S.Element == (Key, Value) {
    self.init()
    var unmanaged: [IdenticalText: Value] = [:]
    for (key, value) in entries {
      if unmanaged.updateValue(value, forKey: IdenticalText(Self.text(key))) != nil {
        fatalError("A map was made of entries in which the key '\(key)' is given twice. Give each key once.")
      }
    }
    self.unmanaged = unmanaged
  }

  /// An unmanaged map of entries. Traps when a key is given twice.
  ///
  ///     try realm.write { person.scores = ["chess": 7, "go": 9] }
  public convenience init(dictionaryLiteral entries: (Key, Value)...) { self.init(uniqueKeysWithValues: entries) }

  /// Whether a map, managed or not, has exactly these entries. Values are equal as elements of a list are.
  ///
  ///     if person.scores == ["chess": 7] { print("Only chess.") }
  ///
  /// - Complexity: O(n log n).
  public static func == (map: Map, entries: [Key: Value]) -> Bool {
    map.count == entries.count
      && entries.allSatisfy { key, value in map[key].map { isSameElement($0, value) } ?? false }
  }

  /// Whether a map differs from these entries.
  public static func != (map: Map, entries: [Key: Value]) -> Bool { !(map == entries) }
}

/// Whether two elements are equal. Objects are if they are one row: `==` asks for one instance where they have no
/// primary key.
private func isSameElement<Element: RealmCollectionValue>(_ a: Element, _ b: Element) -> Bool {
  if Element.areEqual(a, b) { return true }
  guard case .object(let a) = Element._encode(a), case .object(let b) = Element._encode(b) else { return false }
  return a.isSame(as: b)
}
