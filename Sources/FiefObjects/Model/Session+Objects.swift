import FiefGraph
import FiefRuntime
import FiefSessions

// Objects, as a session gives them out and checks them.

extension Session {
  /// The most recently used class binding. The store retains it.
  var latestBinding: Borrowed<ClassBinding>? {
    get { recentClass.map { unsafe $0.cast(to: ClassBinding.self) } }
    set { recentClass = newValue.map { unsafe $0.cast(to: AnyObject.self) } }
  }

  /// Returns the store's binding of a class; nil when the store does not have the class.
  func binding(of type: ObjectBase.Type) -> ClassBinding? { store.binding(of: type) }

  /// Creates an accessor of a row.
  @usableFromInline
  package func accessor(_ binding: ClassBinding, _ key: ObjectKey) -> ObjectBase {
    let object = binding.type.init()
    object.bind(self, binding, key)
    return object
  }

  /// Creates an accessor of a link's target: a `DynamicObject` when its class is not in the schema.
  package func accessor(_ link: ObjectLink) -> ObjectBase? {
    store.binding(of: link.table).map { accessor($0, link.key) } ?? dynamicAccessor(link)
  }

  /// Traps unless an object of this session may be changed. A deleted object is reported before a missing write, as a
  /// write would not help.
  package func checkWriting(_ what: @autoclosure () -> String, of object: ObjectBase) {
    if transaction == nil && !isFrozen {
      checkConfinement()
      if !object.hasRow { Misuse.invalidated(object) }
    }
    checkWriting(what())
  }

  /// Traps unless a write may use the given object, which may belong to any session or be unmanaged. A deleted object
  /// of this session is reported before a missing write.
  func checkWriting(_ what: @autoclosure () -> String, with object: ObjectBase) {
    if transaction == nil && !isFrozen {
      checkConfinement()
      if object.retainedSession === self && !object.hasRow { Misuse.invalidated(object) }
    }
    checkWriting(what())
  }
}
