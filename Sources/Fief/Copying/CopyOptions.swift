extension Realm {
  /// The treatment of an object that reaches itself, in a copy.
  ///
  ///     let twin = try document.detached(cycles: .refuse, keys: .keep)
  @frozen
  public enum CopyCycles: Sendable {
    /// The copies form the same cycle as the originals.
    case preserve
    /// A cycle is an error (`Realm.Error.cycle`), as in `create`.
    case refuse
  }

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
}

/// How an object graph is copied; see `Realm.copy(_:cycles:keys:depth:properties:)`.
struct CopyOptions: Sendable {
  var cycles = Realm.CopyCycles.preserve
  var keys = Realm.CopyKeys.keep
  /// The maximum number of links from the root; nil for no limit.
  var depth: Int?
  var properties = CopyFilter.all

  /// Whether every reached object is copied whole.
  var isWhole: Bool { depth == nil && properties.isAll }

  /// The error for a primary key that cannot be generated.
  static func cannotRegenerate(_ className: String, _ property: String, _ words: String) -> Realm.Error {
    Realm.Error(
      .invalidValue,
      "Primary key '\(className).\(property)' of type \(words) cannot be regenerated: only keys of types ObjectId and UUID are made "
        + "anew. Copy with keys: .keep or .merge.")
  }
}
