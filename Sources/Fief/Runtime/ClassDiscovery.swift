import Synchronization

/// Finds the classes of a program that derive from a given one.
///
/// The compiler writes a record for every type of an image (the program, each library) into a section of that image;
/// the runtime hands out the sections. A record of a class names its superclass, so most classes are told apart
/// without being brought to life: only those that do derive from the class asked for are.
///
/// Source of the layouts: `ABI/Metadata.h` and `docs/ABI/Mangling.rst` of the Swift project (stable on Apple platforms
/// since 5.0). `ClassDiscoveryTests` fail loudly should a toolchain change them.
enum ClassDiscovery {
  /// Every class that derives from `base`, at any distance, in every image that is loaded at this moment; in no
  /// particular order. Generic classes are left out, as they have no one type. Some 0.1 µs a type of the program.
  static func subclasses(of base: AnyClass) -> [AnyClass] { subclasses(of: base, in: TypeSections.all()) }

  /// Every class that derives from `ObjectBase`. Looked for again only when images were loaded since: those with Swift
  /// code stay.
  static func models() -> [ObjectBase.Type] {
    let sections = TypeSections.all()
    let extent = Extent(sections: sections.count, records: sections.reduce(0) { $0 + $1.records.count })
    let found = lastModels.withLock { $0?.extent == extent ? $0?.types : nil }
    if let found { return found.value }
    let types = subclasses(of: ObjectBase.self, in: sections).compactMap { $0 as? ObjectBase.Type }
    // Metatypes are immutable and the same on every thread.
    let box = UncheckedBox(types)
    lastModels.withLock { $0 = (extent, box) }
    return types
  }

  /// How much was looked at: sections come and never go.
  private struct Extent: Equatable {
    let sections: Int
    let records: Int
  }

  private static let lastModels = Mutex<(extent: Extent, types: UncheckedBox<[ObjectBase.Type]>)?>(nil)

  private static func subclasses(of base: AnyClass, in sections: [TypeSection]) -> [AnyClass] {
    var finder = Finder(base: base)
    for section in sections {
      for record in section { finder.look(at: record) }
    }
    return finder.found
  }
}

/// One walk over all records: remembers what it learned about each class on the way.
private struct Finder {
  let base: AnyClass
  let baseDescriptor: UnsafeRawPointer
  var found: [AnyClass] = []
  /// Whether the class of a descriptor derives from the base.
  var isDerived: [UnsafeRawPointer: Bool]

  init(base: AnyClass) {
    self.base = base
    baseDescriptor = ClassDescriptor(of: base).address
    isDerived = [baseDescriptor: true]
  }

  mutating func look(at descriptor: ClassDescriptor) {
    guard descriptor.isConcreteClass, descriptor.address != baseDescriptor, derives(descriptor),
      let type = descriptor.type
    else { return }
    found.append(type)
  }

  /// Goes up the superclasses until one is known, then remembers the answer for all that were passed.
  private mutating func derives(_ descriptor: ClassDescriptor) -> Bool {
    var passed: [UnsafeRawPointer] = []
    var current = descriptor
    var answer = false
    while true {
      if let known = isDerived[current.address] {
        answer = known
        break
      }
      passed.append(current.address)
      switch current.superclass {
      case .none: break
      case .descriptor(let next):
        current = next
        continue
      case .unnamed:
        // The superclass is written out in words: ask the class itself.
        answer = current.isConcreteClass && current.type.map { isClass($0, derivedFrom: base) } ?? false
      }
      break
    }
    for address in passed { isDerived[address] = answer }
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
