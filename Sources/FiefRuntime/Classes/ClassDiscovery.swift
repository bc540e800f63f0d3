import Synchronization

/// Finds the classes of a program that derive from a given one.
///
/// The compiler writes a record for every type of an image (the program, each library) into a section of that image;
/// the runtime hands out the sections. A record of a class refers to its superclass, so the metadata of most classes is
/// not needed: it is completed only for classes that derive from the base.
///
/// Source of the layouts: `ABI/Metadata.h` and `docs/ABI/Mangling.rst` of the Swift project (stable on Apple platforms
/// since 5.0).
package final class ClassDiscovery: Sendable {
  private let base: AnyClass
  private let last = Mutex<(extent: Extent, types: UncheckedBox<[AnyClass]>)?>(nil)

  /// A search for subclasses of a class.
  package init(base: AnyClass) { self.base = base }

  /// Every class that derives from the base, at any distance, in every image that is loaded at this moment; in no
  /// particular order. Generic classes are left out, since they are not one type.
  ///
  /// The result is kept until another image is loaded; images with Swift code are never unloaded.
  ///
  /// - Returns: nil where records cannot be read (`isAvailable`).
  /// - Complexity: some 0.1 µs for each type of the program, the first time.
  package func subclasses() -> [AnyClass]? {
    guard Self.isAvailable else { return nil }
    let sections = TypeSections.all()
    let extent = Extent(sections: sections.count, records: sections.reduce(0) { unsafe $0 + $1.records.count })
    let known = last.withLock { $0?.extent == extent ? $0?.types : nil }
    if let known { return known.value }
    let types = Self.subclasses(of: base, in: sections)
    // Metatypes are immutable and the same on every thread.
    let box = UncheckedBox(types)
    last.withLock { $0 = (extent, box) }
    return types
  }

  /// The number of sections and records: both only grow.
  private struct Extent: Equatable {
    let sections: Int
    let records: Int
  }

  private static func subclasses(of base: AnyClass, in sections: [TypeSection]) -> [AnyClass] {
    var finder = Finder(base: base)
    for section in sections {
      for record in section { finder.inspect(record) }
    }
    return finder.found
  }

  /// Whether the records of this program are laid out as described.
  ///
  /// The record of a class of this module must be among the sections' references, by its address alone, before any
  /// reference is followed; then just its subclass must be found.
  package static let isAvailable: Bool = {
    guard !RuntimeFeature.classDiscovery.isSwitchedOff else { return false }
    let record = unsafe ClassDescriptor(of: DiscoveryProbe.self).address
    guard let section = TypeSections.all().first(where: { unsafe $0.contains(record) }) else { return false }
    let found = subclasses(of: DiscoveryProbe.self, in: [section])
    return found.count == 1 && found[0] == DiscoveryProbeHeir.self
  }()
}

private class DiscoveryProbe {}

private final class DiscoveryProbeHeir: DiscoveryProbe {}

/// One walk over all records. It keeps the answer for each class that it meets.
private struct Finder {
  let base: AnyClass
  let baseDescriptor: UInt
  var found: [AnyClass] = []
  /// Whether the class of a descriptor derives from the base.
  var isDerived: [UInt: Bool]

  init(base: AnyClass) {
    self.base = base
    baseDescriptor = ClassDescriptor(of: base).identity
    isDerived = [baseDescriptor: true]
  }

  mutating func inspect(_ descriptor: ClassDescriptor) {
    guard descriptor.isConcreteClass, descriptor.identity != baseDescriptor, derives(descriptor),
      let type = descriptor.type
    else { return }
    found.append(type)
  }

  /// Goes up the superclasses until one is known, then keeps the answer for all on the way.
  private mutating func derives(_ descriptor: ClassDescriptor) -> Bool {
    var passed: [UInt] = []
    var current = descriptor
    var answer = false
    while true {
      if let known = isDerived[current.identity] {
        answer = known
        break
      }
      passed.append(current.identity)
      switch current.superclass {
      case .none: break
      case .descriptor(let next):
        current = next
        continue
      case .unnamed:
        // The superclass has a mangled name only: ask the class itself.
        answer = current.isConcreteClass && current.type.map { isClass($0, derivedFrom: base) } ?? false
      }
      break
    }
    for descriptor in passed { isDerived[descriptor] = answer }
    return answer
  }
}

private func isClass(_ type: AnyClass, derivedFrom base: AnyClass) -> Bool {
  var current: AnyClass? = type
  while let candidate = current {
    if candidate == base { return true }
    current = _getSuperclass(candidate)
  }
  return false
}
