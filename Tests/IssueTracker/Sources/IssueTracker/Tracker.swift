import RealmSwift

/// The issues of a store, and everything that can be done with them.
///
///     let realm = try await Realm(configuration: Tracker.configuration(.init(fileURL: file)))
///     let tracker = Tracker(realm)
///     let issue = try tracker.report("The dog barks")
///     try tracker.assign(issue.number, to: "Ann")
///
/// A tracker belongs to the thread, queue or actor that opened its realm. Each change is a write of its own, which can
/// be undone.
public struct Tracker {
  /// The realm with the issues.
  public let realm: Realm

  /// Wraps a realm that was opened with `configuration(_:)`.
  public init(_ realm: Realm) { self.realm = realm }

  /// Completes a configuration that says where the issues are: in a file or in memory.
  public static func configuration(_ store: Realm.Configuration) -> Realm.Configuration {
    var configuration = store
    configuration.objectTypes = [Issue.self, Person.self, Comment.self]
    configuration.migrations = .ofTracker
    configuration.history = .versions(200)
    return configuration
  }

  /// Adds an issue under the next number.
  @discardableResult
  public func report(_ title: String, details: String = "") throws -> Issue {
    try change("Report '\(title)'") {
      let number = (realm.objects(Issue.self).max(of: \.number) ?? 0) + 1
      let value: [String: Any] = ["number": number, "title": title, "details": details, "reported": Date()]
      return realm.create(Issue.self, value: value)
    }
  }

  /// Gives an issue to a person, who is added when the name is new; nil gives it to nobody.
  public func assign(_ number: Int, to name: String?) throws {
    try change("Assign #\(number)") {
      let issue = try issue(number)
      issue.assignee = name.map { realm.create(Person.self, value: ["name": $0], update: .modified) }
    }
  }

  /// Adds a label to an issue, unless it has it.
  public func label(_ number: Int, _ label: String) throws {
    try change("Label #\(number)") { try issue(number).labels.insert(label) }
  }

  /// Adds a comment to an issue.
  public func comment(_ number: Int, by author: String, _ text: String) throws {
    try change("Comment on #\(number)") {
      try issue(number).comments.append(Comment(value: ["author": author, "text": text]))
    }
  }

  /// Closes an issue, or opens it again.
  public func set(_ number: Int, _ state: State) throws {
    try change(state == .closed ? "Close #\(number)" : "Reopen #\(number)") { try issue(number).state = state }
  }

  /// Deletes an issue with its comments.
  public func delete(_ number: Int) throws {
    try change("Delete #\(number)") { realm.delete(try issue(number)) }
  }

  /// Undoes the last change of this tracker. Returns its name, or nil without one.
  public func undo() throws -> String? {
    guard realm.canUndo else { return nil }
    let name = realm.undoName
    try realm.undo()
    return name
  }

  /// Makes the last undone change again. Returns its name, or nil without one.
  public func redo() throws -> String? {
    guard realm.canRedo else { return nil }
    let name = realm.redoName
    try realm.redo()
    return name
  }

  /// A write with a name for undo. An error in the block rolls it back.
  private func change<Result>(_ name: String, _ block: () throws -> Result) throws -> Result {
    try realm.write {
      realm.nameUndo(name)
      return try block()
    }
  }
}
