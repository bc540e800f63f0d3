import RealmSwift

extension Tracker {
  /// All issues as JSON: an array of objects, with their persons and comments inside. An `Importer` reads it.
  public func json() throws -> Data {
    let documents: [ObjectDocument] = issues().map { ObjectDocument($0) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(documents)
  }
}
