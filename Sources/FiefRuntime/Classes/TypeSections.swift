// Where the records of all types stand: the one file that knows how each platform keeps them.
//
// Why this is right: the runtime (or the dynamic linker) hands out the bounds of sections that stay mapped for as
// long as their image does; images with Swift code are not unloaded.

#if canImport(Darwin)
  import Darwin
  import MachO
#endif

/// The records of the types of one image: 32-bit relative references to descriptors, one after another.
@safe  // Only `all()` makes a section, from bounds that the runtime hands out.
struct TypeSection: Sequence {
  let records: UnsafeBufferPointer<Int32>

  func makeIterator() -> AnyIterator<ClassDescriptor> {
    var index = 0
    return AnyIterator {
      while unsafe index < records.count {
        defer { index += 1 }
        if let descriptor = descriptor(at: index) { return descriptor }
      }
      return nil
    }
  }

  /// Whether a record refers to the address directly. Follows no reference.
  func contains(_ address: UnsafeRawPointer) -> Bool {
    guard let base = unsafe records.baseAddress else { return false }
    return unsafe records.indices.contains { index in
      unsafe records[index] & 3 == 0 && UnsafeRawPointer(base + index) + Int(records[index]) == address
    }
  }

  /// The lower two bits of a reference show whether it leads to the descriptor or to a pointer to it; other forms do
  /// not stand for types of Swift.
  private func descriptor(at index: Int) -> ClassDescriptor? {
    let reference = unsafe records[index]
    guard reference != 0, let base = unsafe records.baseAddress else { return nil }
    let target = unsafe UnsafeRawPointer(base + index) + Int(reference & ~3)
    switch reference & 3 {
    case 0: return unsafe ClassDescriptor(address: target)
    case 1: return unsafe ClassDescriptor(address: target.load(as: UnsafeRawPointer.self))
    default: return nil
    }
  }
}

enum TypeSections {
  /// The versions of `MetadataSections` (`SwiftRT-ELF-WASM.cpp`) that have the types at the words read below. Later
  /// versions have so far added to the end.
  static let knownVersions: ClosedRange<UInt> = 1...6

  /// The sections of all images that are loaded at this moment. Empty where the runtime describes them in a version
  /// that is not known here.
  static func all() -> [TypeSection] {
    var sections: [TypeSection] = []
    #if canImport(Darwin)
      for index in 0..<_dyld_image_count() {
        guard let header = _dyld_get_image_header(index) else { continue }
        var size: UInt = 0
        #if _pointerBitWidth(_64)
          let start = header.withMemoryRebound(to: mach_header_64.self, capacity: 1) {
            getsectiondata($0, "__TEXT", "__swift5_types", &size)
          }
        #else
          let start = getsectiondata(header, "__TEXT", "__swift5_types", &size)
        #endif
        guard let start else { continue }
        sections.append(TypeSection(start: UnsafeRawPointer(start), bytes: size))
      }
    #else
      unsafe withUnsafeMutablePointer(to: &sections) { sections in
        unsafe enumerateAllMetadataSections(
          { image, context in
            // Version, address of the image and two unused words; then pairs of start and length: protocols,
            // conformances, types.
            let words = unsafe image.assumingMemoryBound(to: UInt.self)
            guard unsafe TypeSections.knownVersions.contains(words[0]) else { return true }
            if let start = unsafe UnsafeRawPointer(bitPattern: words[8]), unsafe words[9] > 0 {
              unsafe context?.assumingMemoryBound(to: [TypeSection].self).pointee
                .append(TypeSection(start: start, bytes: words[9]))
            }
            return true
          }, unsafe sections)
      }
    #endif
    return sections
  }
}

extension TypeSection {
  init(start: UnsafeRawPointer, bytes: UInt) {
    unsafe records = UnsafeBufferPointer(start: start.assumingMemoryBound(to: Int32.self), count: Int(bytes) / 4)
  }
}

#if !canImport(Darwin)
  @_silgen_name("swift_enumerateAllMetadataSections")
  private func enumerateAllMetadataSections(
    _ body: @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer?) -> Bool, _ context: UnsafeMutableRawPointer?)
#endif
