// Literals in their default types: `box.content = ["colour": "red", "sizes": [1, 2.5]]`.

extension AnyRealmValue: ExpressibleByIntegerLiteral {
  /// An integer.
  public init(integerLiteral value: Int) { self = .int(value) }
}

extension AnyRealmValue: ExpressibleByFloatLiteral {
  /// A number of double precision.
  public init(floatLiteral value: Double) { self = .double(value) }
}

extension AnyRealmValue: ExpressibleByBooleanLiteral {
  /// A boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension AnyRealmValue: ExpressibleByStringInterpolation {
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
}

extension AnyRealmValue: ExpressibleByArrayLiteral {
  /// An unmanaged list.
  public init(arrayLiteral elements: AnyRealmValue...) { self = .fromArray(elements) }
}

extension AnyRealmValue: ExpressibleByDictionaryLiteral {
  /// An unmanaged dictionary. Traps when a key is given twice.
  public init(dictionaryLiteral entries: (String, AnyRealmValue)...) {
    self = .dictionary(Map(uniqueKeysWithValues: entries))
  }
}
