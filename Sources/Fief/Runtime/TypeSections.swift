// Where the records of all types stand: the one place that knows how each platform keeps them.
//
// Why this is right: the runtime (or the dynamic linker) hands out the bounds of sections that stay mapped for as
// long as their image does; images with Swift code are not unloaded.

#if canImport(Darwin)
  import Darwin
  import MachO
#endif

/// The records of the types of one image: 32-bit relative references to descriptors, one after another.
struct TypeSection: Sequence {
  let records: UnsafeBufferPointer<Int32>

  func makeIterator() -> AnyIterator<ClassDescriptor> {
    var index = 0
    return AnyIterator {
      while index < records.count {
        defer { index += 1 }
        if let descriptor = descriptor(at: index) { return descriptor }
      }
      return nil
    }
  }

  /// The lower two bits say whether the reference goes to the descriptor or to a pointer to it; other forms are not
  /// types of Swift's.
  private func descriptor(at index: Int) -> ClassDescriptor? {
    let reference = records[index]
    guard reference != 0, let base = records.baseAddress else { return nil }
    let target = UnsafeRawPointer(base + index) + Int(reference & ~3)
    switch reference & 3 {
    case 0: return ClassDescriptor(address: target)
    case 1: return ClassDescriptor(address: target.load(as: UnsafeRawPointer.self))
    default: return nil
    }
  }
}

enum TypeSections {
  /// The sections of all images that are loaded at this moment.
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
      withUnsafeMutablePointer(to: &sections) { sections in
        enumerateAllMetadataSections(
          { image, context in
            // Version, address of the image and two unused words; then pairs of start and length: protocols,
            // conformances, types.
            let words = image.assumingMemoryBound(to: UInt.self)
            if let start = UnsafeRawPointer(bitPattern: words[8]), words[9] > 0 {
              context?.assumingMemoryBound(to: [TypeSection].self).pointee
                .append(TypeSection(start: start, bytes: words[9]))
            }
            return true
          }, sections)
      }
    #endif
    return sections
  }
}

extension TypeSection {
  init(start: UnsafeRawPointer, bytes: UInt) {
    records = UnsafeBufferPointer(start: start.assumingMemoryBound(to: Int32.self), count: Int(bytes) / 4)
  }
}

#if !canImport(Darwin)
  @_silgen_name("swift_enumerateAllMetadataSections")
  private func enumerateAllMetadataSections(
    _ body: @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer?) -> Bool, _ context: UnsafeMutableRawPointer?)
#endif
