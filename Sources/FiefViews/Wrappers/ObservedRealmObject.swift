public import Fief
#if canImport(SwiftUI) && (canImport(Darwin) || FIEF_STAND_INS)
  public import SwiftUI
#endif

/// Shows an object, a collection or a projection in a view, and evaluates the view again when it changes.
///
///     struct EditDogDetails: View {
///       @ObservedRealmObject var dog: Dog
///       var body: some View {
///         VStack {
///           Text(dog.name)
///           TextField("Favorite toy", text: $dog.favoriteToy)
///         }
///       }
///     }
///
/// The wrapped value is frozen if it is managed: `dog.name = "Rex"` traps. `$dog.name` is a binding that writes to the
/// live object. Use `dog.thaw()` for writes of several values.
///
/// A view without a value to show, because its object was deleted, shows a new object with default values until it
/// disappears.
@propertyWrapper
public struct ObservedRealmObject<ObjectType: RealmSubscribable>: DynamicProperty {
  @ObservedObject private var storage: ObservedStorage<ObjectType>

  /// Shows a value.
  ///
  ///     struct DogTitle: View {
  ///       @ObservedRealmObject var dog: Dog
  ///       init(_ dog: Dog) { _dog = ObservedRealmObject(wrappedValue: dog, keyPaths: ["name"]) }
  ///       var body: some View { Text(dog.name) }
  ///     }
  ///
  /// - Parameters:
  ///   - wrappedValue: an object, collection or projection: unmanaged, frozen, or of the main thread's realm.
  ///   - keyPaths: names of the properties whose changes evaluate the view again; nil for all.
  public init(wrappedValue: ObjectType, keyPaths: [String]? = nil) {
    _storage = ObservedObject(wrappedValue: ObservedStorage(wrappedValue, keyPaths: keyPaths))
  }

  /// The value: frozen if it is managed, itself if it is not, and a new one if it was deleted.
  ///
  ///     Button("Birthday") {
  ///       if let dog = dog.thaw() { try? dog.realm?.write { dog.age += 1 } }
  ///     }
  @MainActor public var wrappedValue: ObjectType {
    get { storage.shown }
    nonmutating set { storage.value = newValue }
  }

  /// Bindings to the properties of the value.
  ///
  ///     TextField("Name", text: $dog.name)
  @MainActor public var projectedValue: Wrapper { Wrapper(storage: storage) }

  /// Gives bindings to the properties of a value: `$dog.name`.
  @dynamicMemberLookup
  @MainActor
  public struct Wrapper {
    let storage: ObservedStorage<ObjectType>

    /// The value as views show it.
    public var wrappedValue: ObjectType {
      get { ShownValues.areRead ? storage.asShown : storage.shown }
      nonmutating set { storage.value = newValue }
    }

    /// A binding to a property, which writes in a transaction of its own unless one is under way.
    ///
    ///     Toggle("Fed", isOn: $dog.isFed)
    ///
    /// - Parameter keyPath: a property that can be assigned.
    public subscript<Member>(dynamicMember keyPath: ReferenceWritableKeyPath<ObjectType, Member>) -> Binding<Member> {
      BoundTarget(storage).member(keyPath)
    }
  }
}

extension ObservedRealmObject.Wrapper where ObjectType: _ObjectRepresentable {
  /// Deletes the object, or the root object of a projection, in a transaction of its own unless one is under way. Does
  /// nothing when it no longer exists, or is unmanaged.
  ///
  ///     Button("Delete") { $dog.delete() }
  public func delete() { deleteForView(storage.value) }
}

extension ObservedRealmObject.Wrapper: BoundCollection where ObjectType: RealmCollection {
  /// The type of the collection.
  public typealias Value = ObjectType
  /// The type of the elements.
  public typealias Element = ObjectType.Element

  /// The live or unmanaged collection.
  @MainActor public var _target: ObjectType { storage.value }

  /// Requests that views are evaluated again, after a change of an unmanaged collection.
  @MainActor public func _changedDirectly() { storage.changedDirectly() }
}

extension ObservedRealmObject.Wrapper: BoundMap where ObjectType: RealmKeyedCollection {
  /// The type of the map.
  public typealias Value = ObjectType

  /// Requests that views are evaluated again, after a change of an unmanaged map.
  @MainActor public func _changedDirectly() { storage.changedDirectly() }
}
