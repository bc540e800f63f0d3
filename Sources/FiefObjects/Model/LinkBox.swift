import FiefRuntime
import Foundation

/// Retains the object that an unmanaged object links to.
///
/// Swift frees a chain of objects by recursion: destroying an object destroys its fields, and so the next object. A
/// long chain overflows the stack. A box breaks the recursion. It moves its object to a list of its thread, and the
/// outermost box in the chain drains that list in a loop.
public final class _LinkBox {
  @usableFromInline final var object: ObjectBase?

  @usableFromInline
  package init(_ object: ObjectBase) { self.object = object }

  deinit { ReleaseQueue.release(&object) }
}

/// Releases objects one after another, however long the chains that they form.
enum ReleaseQueue {
  /// The objects to be released on one thread.
  private final class Waiting {
    var objects: [AnyObject] = []
    var isDraining = false
  }

  private static let slot = ThreadLocal()

  private static var waiting: Waiting {
    if let present = slot.value { return unsafe unsafeDowncast(present, to: Waiting.self) }
    let made = Waiting()
    slot.value = made
    return made
  }

  /// Moves a reference out of its holder, which is being destroyed. Releases it now, or after the object before it in
  /// the chain.
  static func release(_ object: inout ObjectBase?) {
    // Only the last reference can start a chain.
    guard object != nil else { return }
    if isKnownUniquelyReferenced(&object) {
      let waiting = waiting
      unsafe waiting.objects.append(object.unsafelyUnwrapped)
      object = nil
      drain(waiting)
    } else {
      object = nil
    }
  }

  /// Releases the elements of a collection, and leaves it empty. Does nothing for elements that cannot begin a chain.
  static func release<Element>(_ elements: inout [Element]) {
    guard !elements.isEmpty, let reference = reference(in: Element.self) else { return }
    let waiting = waiting
    for element in elements { if let held = reference(element) { waiting.objects.append(held) } }
    elements = []
    drain(waiting)
  }

  /// Releases the values of a dictionary, and leaves it empty. Does nothing for values that cannot begin a chain.
  static func release<Key, Element>(_ elements: inout [Key: Element]) {
    if elements.isEmpty || reference(in: Element.self) == nil { return }
    var values = Array(elements.values)
    elements = [:]
    release(&values)
  }

  /// Returns a function that reads the reference in an element; nil when elements of the type cannot begin a chain.
  private static func reference<Element>(in type: Element.Type) -> ((Element) -> AnyObject?)? {
    if Element.self is ObjectBase.Type { return { $0 as AnyObject } }
    func reader<Held: LinkHolding>(_: Held.Type) -> (Element) -> AnyObject? { { ($0 as? Held)?.heldReference } }
    if let type = Element.self as? any LinkHolding.Type { return reader(type) }
    return nil
  }

  private static func drain(_ waiting: Waiting) {
    guard !waiting.isDraining else { return }
    waiting.isDraining = true
    // Each object is destroyed as it leaves the list, before the next one is removed. Its own references are then at
    // the end of the list.
    while !waiting.objects.isEmpty { waiting.objects.removeLast() }
    waiting.isDraining = false
  }
}

/// An element of a collection that is no object itself and may hold a reference with which a chain begins.
protocol LinkHolding {
  /// The reference; nil when the element holds none at the moment.
  var heldReference: AnyObject? { get }
}

extension Optional: LinkHolding where Wrapped: ObjectBase {
  var heldReference: AnyObject? { self }
}
