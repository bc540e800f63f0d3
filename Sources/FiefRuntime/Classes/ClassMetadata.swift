/// The metadata of a class: the words that a reference to a class points to.
///
///     isa │ superclass │ (3 words with Objective-C) │ flags, address point │ instance size, alignment …
///         │ size, address point │ descriptor │ members
///
/// Why reading it is right: the fixed part is that of the stable ABI (`TargetClassMetadata` in `ABI/Metadata.h`), every
/// class has it, and metadata of a class that has instances does not change. `MethodOverrides.isAvailable` compares it
/// with what the language itself says about three classes.
@safe  // The address is that of a class, and metadata of classes is never freed.
struct ClassMetadata {
  let address: UnsafeRawPointer

  init(_ type: AnyClass) { unsafe address = unsafeBitCast(type, to: UnsafeRawPointer.self) }

  /// The superclass, as an address.
  var superclass: UInt { word(at: MemoryLayout<UInt>.size) }

  /// The size of an instance, in bytes.
  var instanceSize: Int { unsafe Int(address.load(fromByteOffset: Self.descriptorOffset - 16, as: UInt32.self)) }

  /// How far the metadata reaches behind its address, in bytes.
  var end: Int {
    // The whole size, and how much of it lies before the address.
    let size = unsafe address.load(fromByteOffset: Self.descriptorOffset - 8, as: UInt32.self)
    let before = unsafe address.load(fromByteOffset: Self.descriptorOffset - 4, as: UInt32.self)
    return Int(size) - Int(before)
  }

  /// The compiler's record of the class.
  var descriptor: UnsafeRawPointer {
    unsafe address.load(fromByteOffset: Self.descriptorOffset, as: UnsafeRawPointer.self)
  }

  /// A word of the metadata.
  func word(at offset: Int) -> UInt { unsafe address.load(fromByteOffset: offset, as: UInt.self) }

  /// Where the address of the record lies: behind two words (five with Objective-C), and seven numbers.
  static var descriptorOffset: Int {
    #if _runtime(_ObjC)
      5 * MemoryLayout<UInt>.size + 24
    #else
      2 * MemoryLayout<UInt>.size + 24
    #endif
  }
}
