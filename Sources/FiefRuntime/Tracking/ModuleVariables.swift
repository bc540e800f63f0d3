import Foundation

/// The thread-local variables of the modules of this process, as the dynamic linker lists them.
///
/// Why this is right: the offsets are those of `dl_phdr_info` and `Elf64_Phdr`, which are parts of the ABI (`link.h`,
/// System V ABI, chapter 5). The linker calls back with structures that live during the call.
enum ModuleVariables {
  /// The thread-local memory of a module.
  struct Module {
    let name: String
    let number: UInt
    /// The number of bytes.
    let size: Int
  }

  /// The modules that have thread-local variables; empty on systems without such a list.
  static var modules: [Module] {
    #if os(Linux) && (arch(x86_64) || arch(arm64))
      guard let function = unsafe RuntimeFunctions.find("dl_iterate_phdr") else { return [] }
      let iterate = unsafe unsafeBitCast(function, to: Iterate.self)
      let found = Found()
      _ = unsafe iterate(visit, Unmanaged.passUnretained(found).toOpaque())
      return found.modules
    #else
      return []
    #endif
  }

  private final class Found {
    var modules: [Module] = []
  }

  private typealias Visit = @convention(c) (UnsafeRawPointer?, Int, UnsafeMutableRawPointer?) -> Int32
  private typealias Iterate = @convention(c) (Visit, UnsafeMutableRawPointer?) -> Int32

  /// Appends a module to the `Found` that was passed to the list.
  private static let visit: Visit = { information, _, found in
    guard let information = unsafe information, let found = unsafe found else { return 0 }
    if let module = unsafe module(information) {
      unsafe Unmanaged<Found>.fromOpaque(found).takeUnretainedValue().modules.append(module)
    }
    return 0
  }

  /// Reads a `dl_phdr_info`; nil when the module has no thread-local variables.
  private static func module(_ information: UnsafeRawPointer) -> Module? {
    let number = unsafe information.load(fromByteOffset: 48, as: UInt.self)
    guard number != 0, let name = unsafe information.load(fromByteOffset: 8, as: UnsafePointer<CChar>?.self),
      let headers = unsafe information.load(fromByteOffset: 16, as: UnsafeRawPointer?.self)
    else { return nil }
    let count = unsafe Int(information.load(fromByteOffset: 24, as: UInt16.self))
    for index in 0..<count {
      // 7 is the type of a header for thread-local variables.
      if unsafe headers.load(fromByteOffset: index * 56, as: UInt32.self) == 7 {
        let size = unsafe Int(headers.load(fromByteOffset: index * 56 + 40, as: UInt.self))
        return unsafe Module(name: String(cString: name), number: number, size: size)
      }
    }
    return nil
  }
}
