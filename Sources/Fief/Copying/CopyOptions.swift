extension Realm {
  /// What a copy does where an object reaches itself.
  @frozen
  public enum CopyCycles: Sendable {
    /// The copies reach each other as the originals do.
    case preserve
    /// It is an error, as for `create`.
    case refuse
  }

  /// What a copy does with primary keys.
  @frozen
  public enum CopyKeys: Sendable {
    /// They stay; one that is taken is an error.
    case keep
    /// They stay; one that is taken means that the object which has it is brought up to date. (Of detached copies the
    /// same as `keep`.)
    case merge
    /// Every copy gets a new key. Only keys of types `ObjectId` and `UUID` can be made anew; others are an error.
    case regenerate
  }
}

/// How an object graph is copied; see `Realm.copy(_:cycles:keys:depth:properties:)`.
struct CopyOptions: Sendable {
  var cycles = Realm.CopyCycles.preserve
  var keys = Realm.CopyKeys.keep
  /// How many steps along links the copy goes from its root; nil for as many as there are.
  var depth: Int?
  var properties = CopyFilter.all

  /// Whether everything that is reached is copied whole.
  var isWhole: Bool { depth == nil && properties.isAll }

  /// What the errors of a key that cannot be made anew say.
  static func cannotRegenerate(_ className: String, _ property: String, _ words: String) -> Realm.Error {
    Realm.Error(
      .invalidValue,
      "Primary key '\(className).\(property)' of type \(words) cannot be regenerated: only keys of types ObjectId and UUID are made "
        + "anew. Copy with keys: .keep or .merge.")
  }
}
