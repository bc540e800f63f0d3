// Reading what the compiler wrote about a class.
//
// Why this is right: addresses come from the runtime alone (sections that it registered, metadata of live classes),
// offsets from the published layout of type context descriptors, and every read stays within the fixed part that each
// class descriptor has. Nothing is written. `ClassDiscovery.isAvailable` proves that a record is found where it is
// expected before any other record is read.

/// The record of a class: kind, name, fields, superclass, and an accessor of the type.
///
///     0 flags   4 parent   8 name   12 access function   16 fields   20 superclass name   …
///
/// Each but the first is a 32-bit offset from its own address.
@safe  // Only the two initializers set the address: one takes a class, the other takes a pointer.
struct ClassDescriptor {
  let address: UnsafeRawPointer

  /// The superclass, as a record refers to it.
  enum Superclass {
    case none
    case descriptor(ClassDescriptor)
    /// Named by a mangled name instead of a reference to a record.
    case unnamed
  }

  /// The record of a class, which its metadata refers to behind two words (five with Objective-C) and 24 bytes of
  /// numbers: the stable ABI (`TargetClassMetadata` in `ABI/Metadata.h`).
  init(of type: AnyClass) {
    #if _runtime(_ObjC)
      let words = 5
    #else
      let words = 2
    #endif
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    unsafe address = metadata.load(fromByteOffset: words * MemoryLayout<UInt>.size + 24, as: UnsafeRawPointer.self)
  }

  init(address: UnsafeRawPointer) { unsafe self.address = address }

  /// A number that differs for each record.
  var identity: UInt { unsafe UInt(bitPattern: address) }

  /// Whether this describes a class that is one type: not an enum or struct, not generic.
  var isConcreteClass: Bool {
    let flags = unsafe address.load(as: UInt32.self)
    let isClass = flags & 0x1f == 16
    let isGeneric = flags & 0x80 != 0
    return isClass && !isGeneric
  }

  /// The superclass, as far as the record has it.
  var superclass: Superclass {
    guard unsafe address.load(as: UInt32.self) & 0x1f == 16, let name = unsafe relative(20) else { return .none }
    switch unsafe name.load(as: UInt8.self) {
    case 1: return unsafe .descriptor(ClassDescriptor(address: Self.follow(name + 1)))
    case 2:
      return unsafe .descriptor(ClassDescriptor(address: Self.follow(name + 1).load(as: UnsafeRawPointer.self)))
    default: return .unnamed
    }
  }

  /// The class itself; its metadata is completed if necessary.
  var type: AnyClass? {
    #if os(WASI)
      return nil
    #else
      guard isConcreteClass, let function = unsafe relative(12) else { return nil }
      // The function takes a request (0: the complete metadata) and returns the metadata and its state in two
      // registers; the second is ignored. For these arguments Swift's and C's conventions agree.
      typealias Accessor = @convention(c) (UInt) -> UnsafeRawPointer
      let metadata = unsafe unsafeBitCast(function, to: Accessor.self)(0)
      return unsafe unsafeBitCast(metadata, to: Any.Type.self) as? AnyClass
    #endif
  }

  private func relative(_ offset: Int) -> UnsafeRawPointer? {
    let address = unsafe self.address + offset
    let distance = unsafe address.loadUnaligned(as: Int32.self)
    return unsafe distance == 0 ? nil : address + Int(distance)
  }

  private static func follow(_ address: UnsafeRawPointer) -> UnsafeRawPointer {
    unsafe address + Int(address.loadUnaligned(as: Int32.self))
  }
}
