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
