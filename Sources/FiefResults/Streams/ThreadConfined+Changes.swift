import FiefObjects
import FiefSessions

extension _Observed {
  /// The changes of the collection or map, or of the sections, beginning with their state.
  ///
  ///     for await change in person.dogs.changes {
  ///       if case .update(let dogs, _, let insertions, _) = change { print(insertions.map { dogs[$0].name }) }
  ///     }
  ///
  /// Traps when the collection is unmanaged, was deleted, or is used outside its thread, queue or actor.
  public var changes: ObservedChanges<Self, _Change> { changes(keyPaths: nil) }

  /// The changes of the collection or map, or of the sections, with modifications on the given key paths only.
  ///
  ///     for await change in dogs.changes(keyPaths: ["name", "toy.color"]) { print(change) }
  ///
  /// Traps as `changes` does, and for unknown names when the iteration begins.
  ///
  /// - Parameter keyPaths: names of properties of the elements, or dotted paths of names; nil for all.
  public func changes(keyPaths: [String]?) -> ObservedChanges<Self, _Change> {
    ObservedChanges(self, deletion: nil) { Self.maker(keyPaths, $0) }
  }
}

extension ThreadConfined where Self: _ObjectRepresentable {
  /// The changes of the object, from now on. The last element is `.deleted`.
  ///
  ///     for await change in dog.changes {
  ///       if case .change(let dog, let properties) = change { print(dog.name, properties.map(\.name)) }
  ///     }
  ///
  /// Traps when the object is unmanaged, was deleted, or is used outside its thread, queue or actor.
  public var changes: ObservedChanges<Self, ObjectChange<Self>> { changes(keyPaths: nil) }

  /// The changes of the object on the given key paths, from now on.
  ///
  ///     for await change in dog.changes(keyPaths: ["name", "toy.color"]) {
  ///       if case .change(let dog, _) = change { print(dog.name) }
  ///     }
  ///
  /// Traps as `changes` does, and for unknown names when the iteration begins.
  ///
  /// - Parameter keyPaths: names of properties, or dotted paths of names, for a projection those of its *root* as they
  ///   are projected; nil for all properties of the object.
  public func changes(keyPaths: [String]?) -> ObservedChanges<Self, ObjectChange<Self>> {
    ObservedChanges(self, deletion: .deleted) { call in Self.observation(keyPaths) { call(ObjectChange($0, $1)) } }
  }
}
