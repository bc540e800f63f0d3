import RealmSwift

/// Something that is to be done.
public final class Issue: Object {
  /// The number by which people call the issue.
  @Persisted(primaryKey: true) public var number = 0
  /// What it is about, in one line.
  @Persisted(indexed: .fullText) public var title = ""
  /// What is known about it.
  @Persisted(indexed: .fullText) public var details = ""
  /// Whether it is done.
  @Persisted(indexed: true) public var state = State.open
  /// When it was reported; nil for issues of version 1 and 2, which did not know.
  @Persisted public var reported: Date?
  /// Who works on it.
  @Persisted public var assignee: Person?
  /// Words that group issues.
  @Persisted public var labels: MutableSet<String>
  /// What was said, in the order of time.
  @Persisted public var comments: List<Comment>
}

/// Whether an issue is done.
public enum State: String, PersistableEnum, Sendable {
  /// There is something to do.
  case open
  /// It is done, or will not be done.
  case closed
}

extension Issue {
  /// The issue in one line: `#7 open The dog barks [noise] Ann`.
  public var summary: String {
    var parts = ["#\(number)", state.rawValue, title]
    if !labels.isEmpty { parts.append("[\(labels.sorted().joined(separator: ", "))]") }
    if let assignee { parts.append(assignee.name) }
    return parts.joined(separator: " ")
  }
}
