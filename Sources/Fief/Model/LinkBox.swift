import FiefRuntime
import Foundation

/// Holds an object that an unmanaged one links to.
///
/// Swift frees a chain of objects by recursion: each one's fields are destroyed inside the destruction of the object
/// before it, and a long chain overflows the stack. A box breaks that: what it held is put on a list of its thread, and
/// the outermost box in the chain works the list off in a loop.
public final class LinkBox {
  @usableFromInline final var object: ObjectBase?

  @usableFromInline
  init(_ object: ObjectBase) { self.object = object }

  deinit { ReleaseQueue.release(&object) }
}

/// Releases objects one after another, however long the chains that they form.
enum ReleaseQueue {
  /// The objects that wait on one thread.
  private final class Waiting {
    var objects: [AnyObject] = []
    var isDraining = false
  }

  private static let slot = ThreadLocal()

  private static var waiting: Waiting {
    if let present = slot.value { return unsafeDowncast(present, to: Waiting.self) }
    let made = Waiting()
    slot.value = made
    return made
  }

  /// Takes a reference out of its holder, which is going, and releases it, now or when the object before it in the
  /// chain is gone.
  static func release(_ object: inout ObjectBase?) {
    // The last reference alone can start a chain.
    guard object != nil else { return }
    if isKnownUniquelyReferenced(&object) {
      let waiting = waiting
      waiting.objects.append(object.unsafelyUnwrapped)
      object = nil
      drain(waiting)
    } else {
      object = nil
    }
  }

  /// The same with the elements of a collection, which is left empty. Nothing is done for elements that cannot begin a
  /// chain.
  static func release<Element>(_ elements: inout [Element]) {
    guard !elements.isEmpty, let reference = reference(in: Element.self) else { return }
    let waiting = waiting
    for element in elements { if let held = reference(element) { waiting.objects.append(held) } }
    elements = []
    drain(waiting)
  }

  /// The same with the values of a dictionary.
  static func release<Key, Element>(_ elements: inout [Key: Element]) {
    guard !elements.isEmpty, let reference = reference(in: Element.self) else { return }
    let waiting = waiting
    for element in elements.values { if let held = reference(element) { waiting.objects.append(held) } }
    elements = [:]
    drain(waiting)
  }

  /// How to get at what an element holds on to; nil when elements of the type hold nothing that could begin a chain.
  private static func reference<Element>(in type: Element.Type) -> ((Element) -> AnyObject?)? {
    if Element.self is ObjectBase.Type { return { $0 as AnyObject } }
    if Element.self == AnyRealmValue.self {
      return { element in
        switch element as? AnyRealmValue {
        case .object(let object): object
        case .list(let list): list
        case .dictionary(let map): map
        default: nil
        }
      }
    }
    if Element.self is any _OptionalLink.Type { return { ($0 as? ObjectBase) as AnyObject? } }
    return nil
  }

  private static func drain(_ waiting: Waiting) {
    guard !waiting.isDraining else { return }
    waiting.isDraining = true
    // Each object goes when it leaves the list, before the next is looked for; what it held is at the list's end then.
    while !waiting.objects.isEmpty { waiting.objects.removeLast() }
    waiting.isDraining = false
  }
}

/// An optional class of objects.
private protocol _OptionalLink {}
extension Optional: _OptionalLink where Wrapped: ObjectBase {}
