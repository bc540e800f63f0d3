public import FiefCopying

extension Realm {
  /// The treatment of an object that reaches itself, in a copy.
  public typealias CopyCycles = FiefCopying.CopyCycles

  /// The treatment of primary keys in a copy.
  public typealias CopyKeys = FiefCopying.CopyKeys
}
