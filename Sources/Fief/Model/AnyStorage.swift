/// How an unmanaged object holds an any-value: as it is, but for an object, which could begin a long chain and is held
/// so that the chain can be released without recursion (see `LinkBox`). Lists and dictionaries look after their
/// elements themselves.
public enum _AnyStorage {
  /// A value that is no object.
  case plain(AnyRealmValue)
  /// An object.
  case object(LinkBox)

  /// The storage of a value.
  init(_ value: AnyRealmValue) {
    if case .object(let object) = value { self = .object(LinkBox(object)) } else { self = .plain(value) }
  }

  /// The value.
  var value: AnyRealmValue {
    switch self {
    case .plain(let value): value
    case .object(let box): .object(unsafeDowncast(box.object.unsafelyUnwrapped, to: Object.self))
    }
  }
}
