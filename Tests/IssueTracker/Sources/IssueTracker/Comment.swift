import RealmSwift

/// A remark on an issue. It is a part of the issue, and deleted with it.
public final class Comment: EmbeddedObject {
  /// The name of the person who wrote it.
  @Persisted public var author = ""
  /// What was written.
  @Persisted public var text = ""
}
