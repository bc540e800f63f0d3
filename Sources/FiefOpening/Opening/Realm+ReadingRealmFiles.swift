import FiefObjects
import FiefRealmFiles
import FiefSessions
import Foundation

extension Realm {
  /// Reads a file of Realm's own library into memory, as a realm without classes that cannot be changed. No lock is
  /// taken, and nothing is written anywhere.
  ///
  ///     let realm = try Realm(readingRealmFile: url)
  ///     print(realm.schema.objectSchema.map(\.className))
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - progress: called now and then, on this thread, with the part of the objects that was read, 0 to 1.
  /// - Throws: as `importRealmFile(from:to:configuration:progress:)` does.
  /// - Complexity: linear in the file, which is in memory with the objects.
  package init(readingRealmFile url: URL, progress: (Double) throws -> Void = { _ in }) throws {
    let file: RealmFile
    do {
      file = try RealmFile(ContiguousArray(Data(contentsOf: url)), progress: progress)
    } catch let error as RealmFileError {
      throw Realm.Error(error, file: url)
    }
    var configuration = Configuration(inMemoryIdentifier: "\(url.path) \(UUID())")
    configuration.isDynamic = true
    configuration.readOnly = true
    let identity = Store.Identity.memory(configuration.inMemoryIdentifier ?? url.path)
    let graph = file.graph.numbered(1)
    let store = try StoreRegistry.open(identity) {
      try Store(identity, StoreOptions(configuration)) { _ in
        try RealmOpening.prepareDynamic(
          StoredState(graph: graph, schemaVersion: file.schemaVersion, isNew: false), configuration, replacing: true)
      }
    }.store
    self.init(store.session(.currentThread, SharedConfiguration(configuration)))
  }
}
