public import Fief
#if canImport(SwiftUI) && (canImport(Darwin) || FIEF_STAND_INS)
  public import SwiftUI
#endif

extension Binding where Value: RealmSubscribable {
  /// A binding to a property of an object or projection.
  ///
  ///     TextField("Name", text: $dog.name)
  ///
  /// Reading returns the present value, and the last value after the object was deleted. Assigning writes, in a
  /// transaction of its own unless one is under way; it does nothing for an equal value, and after the object was
  /// deleted.
  ///
  /// - Parameter keyPath: a property that can be assigned.
  @MainActor
  public subscript<Member>(dynamicMember keyPath: ReferenceWritableKeyPath<Value, Member>) -> Binding<Member> {
    BoundTarget(self).member(keyPath)
  }
}

extension Binding where Value: _ObjectRepresentable & RealmSubscribable {
  /// Deletes the object, or the root object of a projection, in a transaction of its own unless one is under way. Does
  /// nothing when it no longer exists, or is unmanaged.
  ///
  ///     Button("Delete") { $dog.delete() }
  @MainActor public func delete() { deleteForView(BoundTarget(self).value()) }
}

/// Deletes an object, if it exists in a realm.
@MainActor
func deleteForView<Deleted: _ObjectRepresentable & ThreadConfined>(_ deleted: Deleted) {
  if deleted.isInvalidated || deleted.realm == nil { return }
  ImplicitWrite.change(deleted) { $0.realm?.delete($0._object) }
}

extension _ObjectRepresentable where Self: RealmSubscribable {
  /// Returns a binding to a property of the object, or to one that a projection shows.
  ///
  ///     Toggle("Fed", isOn: dog.bind(\.isFed))
  ///     TextField("Name", text: PersonView(projecting: person).bind(\.name))
  ///
  /// The binding reads and writes as the bindings of `@ObservedRealmObject` do. No view is evaluated again by it alone.
  ///
  /// - Parameter keyPath: a property that can be assigned.
  ///
  /// Traps for a frozen object that was deleted since.
  @MainActor
  public func bind<Member>(_ keyPath: ReferenceWritableKeyPath<Self, Member>) -> Binding<Member> {
    BoundTarget(self).member(keyPath)
  }
}
