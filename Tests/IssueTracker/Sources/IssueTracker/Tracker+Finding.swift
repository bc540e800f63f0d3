import RealmSwift

extension Tracker {
  /// The issue with a number.
  ///
  /// - Throws: `TrackerError.noIssue`.
  public func issue(_ number: Int) throws -> Issue {
    guard let issue = realm.object(ofType: Issue.self, forPrimaryKey: number) else {
      throw TrackerError.noIssue(number)
    }
    return issue
  }

  /// All issues by number, or those in one state. The results are live.
  public func issues(_ state: State? = nil) -> Results<Issue> {
    let issues = realm.objects(Issue.self).sorted(by: \.number)
    return if let state { issues.where { $0.state == state } } else { issues }
  }

  /// The issues that have all words in their title, or all in their details, by number.
  public func issues(with words: String) -> Results<Issue> {
    issues().where { $0.title.fullText(words) || $0.details.fullText(words) }
  }
}
