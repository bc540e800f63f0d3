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

  private static let slot = ThreadSlot()

  private static var waiting: Waiting {
    if let present = slot.value { return unsafeDowncast(present, to: Waiting.self) }
    let made = Waiting()
    slot.value = made
    return made
  }

  /// Takes a reference out of its holder, which is going, and releases it, now or when the object before it in the chain is gone.
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

  /// The same with many references.
  static func release<Element>(_ objects: inout [Element]) {
    guard !objects.isEmpty else { return }
    let waiting = waiting
    for object in objects { waiting.objects.append(object as AnyObject) }
    objects = []
    drain(waiting)
  }

  private static func drain(_ waiting: Waiting) {
    guard !waiting.isDraining else { return }
    waiting.isDraining = true
    // Each object goes when it leaves the list, before the next is looked for; what it held is at the list's end then.
    while !waiting.objects.isEmpty { waiting.objects.removeLast() }
    waiting.isDraining = false
  }
}
