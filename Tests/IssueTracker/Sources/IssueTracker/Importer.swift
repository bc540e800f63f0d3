import RealmSwift

/// Reads issues from JSON in the background.
///
/// An importer opens the realm for itself, so that the realms of others stay usable meanwhile. A tracker's `undo()`
/// does not undo its writes.
public actor Importer {
  private let configuration: Realm.Configuration

  /// Makes an importer for the realm of a configuration.
  public init(_ configuration: Realm.Configuration) { self.configuration = configuration }

  /// Adds issues, or changes those whose numbers exist: all in one write, or none.
  ///
  /// - Parameter json: what `Tracker.json()` makes.
  /// - Returns: the number of issues that were read.
  public func read(_ json: Data) async throws -> Int {
    let documents = try JSONDecoder().decode([ObjectDocument].self, from: json)
    let realm = try await Realm(configuration: configuration, actor: self)
    try await realm.asyncWrite {
      for document in documents { realm.add(try document.object(as: Issue.self), update: .modified) }
    }
    return documents.count
  }
}
