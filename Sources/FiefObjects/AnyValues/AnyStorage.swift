/// The form in which an unmanaged object holds an any-value. An object could begin a long chain, so it is held in a
/// `_LinkBox`, which releases the chain without recursion. Lists and dictionaries release their own elements that way.
public enum _AnyStorage {
  /// A value that is not an object.
  case plain(AnyRealmValue)
  /// An object.
  case object(_LinkBox)

  /// Makes the storage of a value.
  init(_ value: AnyRealmValue) {
    if case .object(let object) = value { self = .object(_LinkBox(object)) } else { self = .plain(value) }
  }

  /// The stored value.
  var value: AnyRealmValue {
    switch self {
    case .plain(let value): value
    case .object(let box): unsafe .object(unsafeDowncast(box.object.unsafelyUnwrapped, to: Object.self))
    }
  }
}
