/// The metadata of a class: the words that a reference to a class points to.
///
///     isa │ superclass │ (3 words with Objective-C) │ flags, address point │ instance size, alignment …
///         │ size, address point │ descriptor │ members
///
/// Why reading it is right: the fixed part is that of the stable ABI (`TargetClassMetadata` in `ABI/Metadata.h`), every
/// class has it, and metadata of a class that has instances does not change.
@safe  // The address is that of a class, and metadata of classes is never freed.
struct ClassMetadata {
  let address: UnsafeRawPointer

  init(_ type: AnyClass) { unsafe address = unsafeBitCast(type, to: UnsafeRawPointer.self) }

  /// The compiler's record of the class: behind two words (five with Objective-C), and seven numbers.
  var descriptor: UnsafeRawPointer {
    #if _runtime(_ObjC)
      let words = 5
    #else
      let words = 2
    #endif
    return unsafe address.load(fromByteOffset: words * MemoryLayout<UInt>.size + 24, as: UnsafeRawPointer.self)
  }
}
