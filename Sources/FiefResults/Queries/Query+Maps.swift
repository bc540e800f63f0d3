import FiefGraph
import FiefObjects
import FiefQueries

extension Query where T: RealmKeyedCollection {
  /// The keys: a comparison holds if at least one of them satisfies it.
  ///
  ///     persons.where { $0.scores.keys.starts(with: "ch") }
  public var keys: Query<String> { step(.allKeys) }

  /// The values: a comparison holds if at least one of them satisfies it.
  ///
  ///     persons.where { $0.scores.values > 9 }
  public var values: Query<T.Value> {
    // A subquery over several properties of one value needs the path of the values, and not that of the map.
    let next = path.appending(.allValues)
    return Query<T.Value>(.path(next, over: collections.map { $0 == path ? next : $0 }))
  }

  /// The value under a key; null if the key is missing.
  ///
  ///     persons.where { $0.scores["chess"] > 7 }
  public subscript(key: T.Key) -> Query<T.Value> {
    let text = key as? String ?? "\(key)"
    let next = PropertyPath(path.components + [.key(text)], variable: path.variable)
    return Query<T.Value>(.path(next, over: collections.filter { $0 != path }))
  }

  /// How many entries there are.
  ///
  ///     persons.where { $0.scores.count > 2 }
  public var count: Query<Int> { step(.aggregate(.count)) }

  /// Whether there is no entry. A map behind a null link has none.
  ///
  ///     persons.where { $0.scores.isEmpty }
  public var isEmpty: Query<Bool> { count.compare(.equal, to: 0) }

  /// Whether a value equals a constant.
  ///
  ///     persons.where { $0.scores.contains(9) }
  public func contains(_ value: T.Value) -> Query<Bool> {
    step(.allValues, as: T.Value.self).compare(.equal, Self.constant(value))
  }

  /// Whether a value equals one of several constants.
  ///
  ///     persons.where { $0.scores.containsAny(in: [8, 9]) }
  public func containsAny<S: Sequence>(in values: S) -> Query<Bool> where S.Element == T.Value {
    step(.allValues, as: T.Value.self).compare(.in, Self.constants(values))
  }
}

extension Query where T: RealmKeyedCollection, T.Value: Comparable {
  /// Whether there are values, and all of them lie in a range, whose upper bound is not part of it. Values are numbers
  /// or dates; traps for other types.
  ///
  ///     persons.where { $0.scores.contains(1..<10) }
  public func contains(_ range: Range<T.Value>) -> Query<Bool> { allWithin(range.lowerBound, .less, range.upperBound) }

  /// Whether there are values, and all of them lie in a range, whose bounds are part of it. Values are numbers or
  /// dates; traps for other types.
  ///
  ///     persons.where { $0.scores.contains(1...9) }
  public func contains(_ range: ClosedRange<T.Value>) -> Query<Bool> {
    allWithin(range.lowerBound, .lessOrEqual, range.upperBound)
  }
}

extension Query where T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: Comparable {
  /// Whether there are values that are not null, and all of those lie in a range, whose upper bound is not part of it.
  /// Values are numbers or dates; traps for other types.
  ///
  ///     persons.where { $0.marks.contains(1..<7) }          // of 'marks: Map<String, Int?>'
  public func contains(_ range: Range<T.Value.Wrapped>) -> Query<Bool> {
    allWithin(range.lowerBound, .less, range.upperBound)
  }

  /// Whether there are values that are not null, and all of those lie in a range, whose bounds are part of it. Values
  /// are numbers or dates; traps for other types.
  ///
  ///     persons.where { $0.marks.contains(1...6) }          // of 'marks: Map<String, Int?>'
  public func contains(_ range: ClosedRange<T.Value.Wrapped>) -> Query<Bool> {
    allWithin(range.lowerBound, .lessOrEqual, range.upperBound)
  }
}

extension Query where T: RealmKeyedCollection, T.Value.PersistedType: _QueryNumeric {
  /// The least value; null if there is no value.
  ///
  ///     persons.where { $0.scores.min > 3 }
  public var min: Query<T.Value> { aggregate(.minimum, as: T.Value.self) }
  /// The greatest value; null if there is no value.
  ///
  ///     persons.where { $0.scores.max == 9 }
  public var max: Query<T.Value> { aggregate(.maximum, as: T.Value.self) }
  /// The average of the values; null if there is no value.
  ///
  ///     persons.where { $0.scores.avg > 5 }
  public var avg: Query<T.Value> { aggregate(.average, as: T.Value.self) }
  /// The sum of the values; 0 if there is no value.
  ///
  ///     persons.where { $0.scores.sum > 20 }
  public var sum: Query<T.Value> { aggregate(.sum, as: T.Value.self) }
}

extension Query where T: RealmKeyedCollection, T.Value: PersistableEnum, T.Value.RawValue: RealmCollectionValue {
  /// The stored raw values, including those that are not a case of the enum.
  ///
  ///     persons.where { $0.levelOf.rawValue.values > 3 }          // of 'levelOf: Map<String, Level>'
  public var rawValue: Query<Map<T.Key, T.Value.RawValue>> { seen(as: Map<T.Key, T.Value.RawValue>.self) }
}

extension Query
where T: RealmKeyedCollection, T.Value: _OptionalEnum, T.Value.OptionalRawValue: RealmCollectionValue {
  /// The stored raw values, including those that are not a case of the enum.
  public var rawValue: Query<Map<T.Key, T.Value.OptionalRawValue>> {
    seen(as: Map<T.Key, T.Value.OptionalRawValue>.self)
  }
}

extension Query where T: RealmKeyedCollection, T.Value.PersistedType: RealmCollectionValue {
  /// The stored values.
  ///
  ///     // of 'emailOf: Map<String, Email>'
  ///     persons.where { $0.emailOf.persistableValue.values == "ann@example.org" }
  public var persistableValue: Query<Map<T.Key, T.Value.PersistedType>> {
    seen(as: Map<T.Key, T.Value.PersistedType>.self)
  }
}

// Lists and dictionaries inside an any-value.
extension Query where T == AnyRealmValue {
  /// The element of a list at a position; null if the value is not a list or the position is beyond its end. A query
  /// with a negative position traps.
  ///
  ///     realm.objects(Box.self).where { $0.content[0] == .int(2) }
  public subscript(position: Int) -> Query<AnyRealmValue> { step(.index(position)) }

  /// The value of a dictionary under a key; null if the value is not a dictionary or the key is missing.
  ///
  ///     realm.objects(Box.self).where { $0.content["colour"] == .string("red") }
  public subscript(key: String) -> Query<AnyRealmValue> { step(.key(key)) }

  /// Every element of a list, or value of a dictionary: a comparison holds if at least one of them satisfies it.
  ///
  ///     realm.objects(Box.self).where { $0.content.any == .int(2) || $0.content["colour"] == .string("red") }
  public var any: Query<AnyRealmValue> { step(.anyElement) }
}
