/// What the types, key paths and constants of a `#Predicate` mean. The module above knows them.
package protocol PredicateVocabulary {
  /// A value as a constant; nil if a query cannot compare with it.
  func constant(_ value: Any?) -> QueryOperand?
  /// The meaning of a key path; nil if no query has it.
  func meaning(of keyPath: AnyKeyPath, from type: Any.Type) -> KeyPathMeaning?
  /// Whether a type stands for rows of a table.
  func isObject(_ type: Any.Type) -> Bool
  /// Whether a type stands for a collection of a row.
  func isCollection(_ type: Any.Type) -> Bool
  /// Whether a type is stored as floating-point numbers, among which Swift has no order for NaN.
  func isFloating(_ type: Any.Type) -> Bool
}

/// What a query reads for a key path.
package enum KeyPathMeaning: Equatable {
  case property(String)
  /// The number of elements of a collection.
  case count
  /// Whether a collection has no elements.
  case isEmpty
}

/// A constant, and the stores of the objects in it.
package struct QueryOperand {
  package let constant: QueryConstant
  /// The numbers of the stores; mostly empty.
  package let origins: [UInt64]

  /// A constant with the numbers of its stores.
  package init(_ constant: QueryConstant, _ origins: [UInt64] = []) {
    self.constant = constant
    self.origins = origins
  }
}
