public import FiefObjects

// The targets of the key paths of the content. The most specific of these declarations applies.

extension Frozen {
  /// The value of a property, stored or computed.
  ///
  ///     print(dog.name, dog.nameAndAge)
  public subscript<Value: _RealmFreeValue>(dynamicMember path: KeyPath<Wrapped, Value>) -> Value {
    content[keyPath: path]
  }

  /// The value of a computed property of another type.
  ///
  ///     print(dog.birthdays.count)
  @_disfavoredOverload
  public subscript<Value>(dynamicMember path: KeyPath<Wrapped, Value>) -> Value { content[keyPath: path] }

  /// The object of a property.
  ///
  ///     print(dog.bestFriend.name)
  public subscript<Target: _ObjectRepresentable & ThreadConfined>(
    dynamicMember path: KeyPath<Wrapped, Target>
  ) -> Frozen<Target> { reaching(content[keyPath: path]) }

  /// The object that a link leads to, or nil.
  ///
  ///     print(dog.owner?.name ?? "nobody's")
  public subscript<Target: _ObjectRepresentable & ThreadConfined>(
    dynamicMember path: KeyPath<Wrapped, Target?>
  ) -> Frozen<Target>? { content[keyPath: path].map { reaching($0) } }

  /// The objects of a list, a set, linking objects, or results.
  ///
  ///     for puppy in dog.puppies { print(puppy.name) }
  public subscript<Elements: RealmCollection>(
    dynamicMember path: KeyPath<Wrapped, Elements>
  ) -> Frozen<Elements> where Elements.Element: _ObjectRepresentable & ThreadConfined {
    reaching(content[keyPath: path])
  }

  /// The values of a list or a set.
  ///
  ///     print(dog.toys.joined(separator: ", "))
  public subscript<Elements: RealmCollection>(
    dynamicMember path: KeyPath<Wrapped, Elements>
  ) -> FrozenValues<Elements> where Elements.Element: _RealmFreeValue { FrozenValues(frozen: content[keyPath: path]) }

  /// The entries of a map.
  ///
  ///     print(dog.sizes["collar"] ?? 0)
  ///
  /// - Complexity: linear in the entries.
  public subscript<Key: _MapKey, Value: RealmCollectionValue & _RealmFreeValue>(
    dynamicMember path: KeyPath<Wrapped, Map<Key, Value>>
  ) -> [Key: Value] {
    Dictionary(content[keyPath: path].map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// The objects of a map by their keys, without the entries of deleted ones.
  ///
  ///     print(person.dogs["first"]?.name ?? "none")
  ///
  /// - Complexity: linear in the entries.
  public subscript<Key: _MapKey, Target: _ObjectRepresentable & ThreadConfined>(
    dynamicMember path: KeyPath<Wrapped, Map<Key, Target?>>
  ) -> [Key: Frozen<Target>] {
    let entries = content[keyPath: path].compactMap { entry in entry.value.map { (entry.key, reaching($0)) } }
    return Dictionary(entries, uniquingKeysWith: { first, _ in first })
  }
}

extension Frozen: Sequence, Collection, BidirectionalCollection, RandomAccessCollection
where Wrapped: RealmCollection, Wrapped.Element: _ObjectRepresentable & ThreadConfined {
  /// Each object is a frozen value.
  public typealias Element = Frozen<Wrapped.Element>
  /// Positions are numbers from 0 on.
  public typealias Index = Int
  /// All positions.
  public typealias Indices = Range<Int>
  /// A part of the objects.
  public typealias SubSequence = Slice<Frozen>
  /// Goes through all objects.
  public typealias Iterator = IndexingIterator<Frozen>

  /// The position of the first object, always 0.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { reference.thing.count }

  /// The object at a position. Traps when the position is out of range.
  ///
  ///     print(dogs[0].name)
  ///
  /// - Complexity: that of the collection; O(1) for results after their evaluation.
  public subscript(position: Int) -> Frozen<Wrapped.Element> { reaching(reference.thing[position]) }
}
