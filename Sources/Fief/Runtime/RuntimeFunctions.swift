import Foundation

/// Functions of the Swift runtime that have no name in Swift; nil in programs that do not show them to the dynamic
/// linker, such as those that are linked statically. The casts are right because the headers of the runtime say so.
enum RuntimeFunctions {
  /// Retains an object unless it is being destroyed.
  static let tryRetain = find("swift_tryRetain").map {
    unsafeBitCast($0, to: (@convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?).self)
  }

  /// The first of the two words that stand for the serial executor whose job is running: a reference to it, or to the
  /// actor that is its own; 0 when none is. Looks at a thread-local variable, and takes nothing.
  static let currentExecutor = find("swift_task_getCurrentExecutor").map {
    unsafeBitCast($0, to: (@convention(c) () -> UInt).self)
  }

  private static func find(_ name: String) -> UnsafeMutableRawPointer? {
    #if canImport(Darwin)
      let everywhere = UnsafeMutableRawPointer(bitPattern: -2)
    #else
      let everywhere: UnsafeMutableRawPointer? = nil
    #endif
    #if canImport(WinSDK) || os(WASI)
      return nil
    #else
      return dlsym(everywhere, name)
    #endif
  }
}
