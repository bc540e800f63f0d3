/// The treatment of primary keys in a copy.
///
///     let twin = realm.copy(document, keys: .regenerate)
@frozen
public enum CopyKeys: Sendable {
  /// Keys are kept; a key that exists already is an error (`Realm.Error.duplicatePrimaryKey`).
  case keep
  /// Keys are kept; an object with an existing key is updated. (For detached copies this equals `keep`.)
  case merge
  /// Every copy gets a new key. Only keys of types `ObjectId` and `UUID` can be generated; other types are an error
  /// (`Realm.Error.invalidValue`).
  case regenerate
}
