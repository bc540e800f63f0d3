public import FiefCopying

extension Realm {
  /// The treatment of an object that reaches itself, in a copy.
  ///
  ///     let copy = try document.detached(cycles: .refuse, keys: .regenerate)
  public typealias CopyCycles = FiefCopying.CopyCycles

  /// The treatment of primary keys in a copy.
  ///
  ///     try other.write { other.copy(person, keys: .merge) }
  public typealias CopyKeys = FiefCopying.CopyKeys
}
