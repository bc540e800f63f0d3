import RealmSwift

/// Somebody who works on issues.
public final class Person: Object {
  /// The name, which no two persons share.
  @Persisted(primaryKey: true) public var name = ""
  /// The issues that are assigned to this person.
  @Persisted(originProperty: "assignee") public var issues: LinkingObjects<Issue>
}
