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
    return Query<T.Value>(.path(next, over: form.passed.map { $0 == path ? next : $0 }))
  }

  /// The value under a key; null if the key is missing.
  ///
  ///     persons.where { $0.scores["chess"] > 7 }
  public subscript(key: T.Key) -> Query<T.Value> {
    let text = key as? String ?? "\(key)"
    let next = PropertyPath(path.components + [.key(text)], variable: path.variable)
    return Query<T.Value>(.path(next, over: form.passed.filter { $0 != path }))
  }
}

extension Query where T: RealmKeyedCollection, T.Value: PersistableEnum, T.Value.RawValue: RealmCollectionValue {
  /// The stored raw values, including those that are not a case of the enum.
  ///
  ///     persons.where { $0.levelOf.rawValue.values > 3 }          // of 'levelOf: Map<String, Level>'
  public var rawValue: Query<Map<T.Key, T.Value.RawValue>> { retyped() }
}

extension Query
where T: RealmKeyedCollection, T.Value: _OptionalEnum, T.Value.OptionalRawValue: RealmCollectionValue {
  /// The stored raw values, including those that are not a case of the enum.
  public var rawValue: Query<Map<T.Key, T.Value.OptionalRawValue>> {
    retyped()
  }
}

extension Query where T: RealmKeyedCollection, T.Value.PersistedType: RealmCollectionValue {
  /// The stored values.
  ///
  ///     // of 'emailOf: Map<String, Email>'
  ///     persons.where { $0.emailOf.persistableValue.values == "ann@example.org" }
  public var persistableValue: Query<Map<T.Key, T.Value.PersistedType>> {
    retyped()
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

// The members of a value that is stored by its coded form.
extension Query where T: PersistableCodable {
  /// The member with a coding key; null if the value has none.
  ///
  ///     signs.where { $0.size["width"] > 3 }          // of 'size: Size'
  public subscript(key: String) -> Query<AnyRealmValue> { step(.key(key)) }
}

extension Query where T: OptionalProtocol, T.Wrapped: PersistableCodable {
  /// The member with a coding key; null if the value has none, or is null.
  ///
  ///     signs.where { $0.size["width"] > 3 }          // of 'size: Size?'
  public subscript(key: String) -> Query<AnyRealmValue> { step(.key(key)) }
}
