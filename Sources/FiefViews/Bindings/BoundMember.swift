import Fief
import FiefRuntime
#if canImport(SwiftUI) && (canImport(Darwin) || FIEF_STAND_INS)
  import SwiftUI
#endif

/// The object whose properties bindings read and write, wherever it is kept.
///
///     wrapper ─────▶ its storage: the live value, what was shown, and the notification of direct changes
///     binding ─────▶ the value of the binding
///     bind(_:) ────▶ one object
@MainActor
struct BoundTarget<Value: RealmSubscribable> {
  /// Returns the value: live, unmanaged, or frozen when it no longer exists.
  let value: @MainActor () -> Value
  /// Returns the value as views show it.
  let asShown: @MainActor () -> Value
  /// Called after a change of an unmanaged value.
  let changedDirectly: @MainActor () -> Void

  /// The value of a wrapper.
  init(_ storage: ObservedStorage<Value>) {
    value = { storage.value }
    asShown = { storage.asShown }
    changedDirectly = { storage.changedDirectly() }
  }

  /// The value of a binding.
  init(_ binding: Binding<Value>) {
    value = { ImplicitWrite.thawed(binding.wrappedValue) }
    asShown = { ShownValues.reading { binding.wrappedValue } }
    changedDirectly = { binding.wrappedValue = binding.wrappedValue }
  }

  /// One object, which a view has at hand. Traps for a frozen object that no longer exists.
  init(_ object: Value) {
    guard let live = object.isFrozen ? object.thaw() : object else {
      fatalError("An object that was deleted cannot be bound: bind objects that exist.")
    }
    value = { live }
    asShown = { object }
    changedDirectly = {}
  }

  /// Returns a binding to a property.
  func member<Member>(_ keyPath: ReferenceWritableKeyPath<Value, Member>) -> Binding<Member> {
    let last = LastValue(read(keyPath) ?? asShown()[keyPath: keyPath])
    // Sendable for SwiftUI, which calls both closures on the main actor.
    let held = UncheckedBox((keyPath: keyPath, last: last))
    return Binding<Member>(
      get: {
        onMainActor {
          let (keyPath, last) = held.value
          // A live object that a binding was made of may have been deleted.
          if ShownValues.areRead, case let shown = asShown(), !shown.isInvalidated { return shown[keyPath: keyPath] }
          guard let value = read(keyPath) else { return last.value }
          last.keep(value)
          return value
        }
      },
      set: { new in
        let new = UncheckedBox(new)
        onMainActor { write(new.value, held.value.keyPath) }
      })
  }

  /// The present value of a property, frozen if it is a collection; nil when the object no longer exists.
  private func read<Member>(_ keyPath: ReferenceWritableKeyPath<Value, Member>) -> Member? {
    let value = value()
    if value.isInvalidated { return nil }
    let member = value[keyPath: keyPath]
    // A view keeps what it gets, and a collection must not change under it. Objects are given live: their bindings
    // compare them with the objects of choices.
    guard let collection = member as? any BoundCollectionValue, collection.realm != nil else { return member }
    return collection.frozenCopy as? Member
  }

  private func write<Member>(_ new: Member, _ keyPath: ReferenceWritableKeyPath<Value, Member>) {
    let value = value()
    // One that is frozen no longer exists, and is not given to whoever has the binding.
    if value.isInvalidated || value.isFrozen { return }
    // Controls assign what they show more than once. That begins no write, which waits for those of other threads. An
    // unmanaged collection was changed already when it is assigned.
    let isEqual = areEqual(value[keyPath: keyPath], new)
    if isEqual && value.realm != nil { return }
    if !isEqual { ImplicitWrite.change(value) { $0[keyPath: keyPath] = ImplicitWrite.thawed(new) } }
    if !value.isInvalidated { changedDirectly() }
  }
}

/// The value that a binding returned last, which it returns after its object was deleted. An object that it is may be
/// deleted with that, so a frozen copy is kept.
private final class LastValue<Value> {
  private(set) var value: Value

  init(_ value: Value) { self.value = FrozenCopy.kept(value) }

  func keep(_ value: Value) { self.value = FrozenCopy.kept(value) }
}

/// Whether bindings are asked for the values that views show, rather than for the present ones.
///
/// Positions that a view passes are positions in what it shows. What a binding reads is newer when the realm has
/// changed and the view has not been evaluated since.
@MainActor
enum ShownValues {
  private(set) static var areRead = false

  /// Reads a binding as views show it.
  static func reading<Value>(_ body: () -> Value) -> Value {
    let outer = areRead
    areRead = true
    defer { areRead = outer }
    return body()
  }
}

/// The collections that a binding returns frozen.
@MainActor
private protocol BoundCollectionValue: ThreadConfined {}

extension BoundCollectionValue {
  fileprivate var frozenCopy: Self { FrozenCopy.of(self, unless: nil) }
}

extension Fief.List: BoundCollectionValue {}
extension MutableSet: BoundCollectionValue {}
extension Map: BoundCollectionValue {}

/// Whether two values of a type with `==` are equal; false for other types.
func areEqual<Value>(_ a: Value, _ b: Value) -> Bool {
  func isEqual<E: Equatable>(_ a: E) -> Bool { (b as? E) == a }
  // Stores distinguish canonically equivalent strings.
  if let a = a as? String, let b = b as? String { return a.utf8.elementsEqual(b.utf8) }
  guard let a = a as? any Equatable else { return false }
  return isEqual(a)
}
