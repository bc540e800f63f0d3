import Fief
import FiefRuntime
#if canImport(SwiftUI) && (canImport(Darwin) || FIEF_STAND_INS)
  public import SwiftUI
#endif

/// Owns an object, a collection or a projection for a view, and evaluates the view again when it changes.
///
///     struct NewDog: View {
///       @StateRealmObject var dog = Dog()
///       var body: some View {
///         TextField("Name", text: $dog.name)
///       }
///     }
///
/// The value is made once for the life of the view. It may stay unmanaged, and be added to a realm later. Once it is
/// managed, the wrapped value is frozen, and `$dog` is a binding to the live object.
@propertyWrapper
public struct StateRealmObject<T: RealmSubscribable>: DynamicProperty {
  @StateObject private var storage: ObservedStorage<T>

  /// Owns a value.
  ///
  ///     @StateRealmObject var dog = Dog(value: ["name": "Rex"])
  ///
  /// - Parameter wrappedValue: makes the value, when the view is shown first.
  public init(wrappedValue: @autoclosure @escaping () -> T) {
    _storage = StateObject(wrappedValue: ObservedStorage(wrappedValue()))
  }

  /// The value: frozen if it is managed, itself if it is not, and a new one if it was deleted.
  @MainActor public var wrappedValue: T {
    get { storage.shown }
    nonmutating set { storage.value = newValue }
  }

  /// A binding to the live value. `$dog.name` is a binding to one of its properties. After the value was deleted, the
  /// binding gives it in the state in which views were shown it last, and writes nothing.
  ///
  ///     TextField("Name", text: $dog.name)
  @MainActor public var projectedValue: Binding<T> {
    // Sendable for SwiftUI, which calls both closures on the main actor.
    let held = UncheckedBox(storage)
    return Binding(
      get: { onMainActor { ShownValues.areRead ? held.value.asShown : held.value.bound } },
      set: { new in
        let new = UncheckedBox(new)
        onMainActor { held.value.assign(new.value) }
      })
  }
}
