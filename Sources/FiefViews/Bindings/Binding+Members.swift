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

extension Binding where Value: ObjectBase & RealmSubscribable {
  /// Deletes the object, in a transaction of its own unless one is under way. Does nothing when it no longer exists, or
  /// is unmanaged.
  ///
  ///     Button("Delete") { $dog.delete() }
  @MainActor public func delete() { deleteForView(BoundTarget(self).value()) }
}

extension Binding where Value: ProjectionObservable & RealmSubscribable {
  /// Deletes the root object, in a transaction of its own unless one is under way. Does nothing when it no longer
  /// exists, or is unmanaged.
  ///
  ///     Button("Delete") { $view.delete() }          // of '@StateRealmObject var view: PersonView'
  @MainActor public func delete() { deleteForView(BoundTarget(self).value().rootObject) }
}

/// Deletes an object, if it exists in a realm.
@MainActor
func deleteForView<Deleted: ObjectBase & ThreadConfined>(_ object: Deleted) {
  if object.isInvalidated || object.realm == nil { return }
  ImplicitWrite.change(object) { $0.realm?.delete($0) }
}

extension ThreadConfined where Self: ObjectBase & RealmSubscribable {
  /// Returns a binding to a property.
  ///
  ///     Toggle("Fed", isOn: dog.bind(\.isFed))
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

extension ProjectionObservable where Self: RealmSubscribable {
  /// Returns a binding to a property of the root object, under its name in the projection.
  ///
  ///     TextField("Name", text: PersonView(projecting: person).bind(\.name))
  ///
  /// - Parameter keyPath: a projected property that can be assigned.
  ///
  /// Traps for a projection of a frozen object that was deleted since.
  @MainActor
  public func bind<Member>(_ keyPath: ReferenceWritableKeyPath<Self, Member>) -> Binding<Member> {
    BoundTarget(self).member(keyPath)
  }
}
