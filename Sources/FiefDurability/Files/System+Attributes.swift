import Foundation

// The attributes of a file besides its bytes: permissions, owner, and extended attributes.

extension System {
  #if os(Windows) || os(WASI)
    /// Creates a file at `path`. The folder determines access to it.
    static func create(_ path: String, like facts: stat, at model: String) -> Int32 { create(path, mode: 0o666) }
    /// Creates a file at `path` with the defaults of the process.
    static func create(_ path: String) -> Int32 { create(path, mode: 0o666) }
    /// Creates a file at `path`; these systems have no such permissions.
    static func create(_ path: String, exactly mode: UInt16) -> Int32 { create(path) }
  #else
    /// Creates a file at `path` with the defaults of the process (`umask`).
    static func create(_ path: String) -> Int32 { create(path, mode: 0o666) }

    /// Creates a file at `path` with exactly these permissions, whatever the umask is. At no moment has it more
    /// permissions.
    static func create(_ path: String, exactly mode: UInt16) -> Int32 {
      let descriptor = create(path, mode: mode_t(mode & 0o600))
      if descriptor >= 0 { _ = fchmod(descriptor, mode_t(mode & 0o777)) }
      return descriptor
    }

    /// Creates a file at `path` that will replace the one at `model`. It takes the mode, the owner, the group and the
    /// extended attributes, as far as the system permits this process to set them. At no moment can a user open it who
    /// could not open the other file.
    ///
    /// - Parameter facts: The `stat` of the other file.
    static func create(_ path: String, like facts: stat, at model: String) -> Int32 {
      let descriptor = create(path, mode: facts.st_mode & 0o600)
      guard descriptor >= 0 else { return descriptor }
      var own = stat()
      guard unsafe fstat(descriptor, &own) == 0 else { return descriptor }
      if own.st_uid != facts.st_uid || own.st_gid != facts.st_gid {
        // A process that may not change the owner may still set a group of which it is a member.
        if fchown(descriptor, facts.st_uid, facts.st_gid) != 0 { _ = fchown(descriptor, uid_t.max, facts.st_gid) }
        guard unsafe fstat(descriptor, &own) == 0 else { return descriptor }
      }
      var mode = facts.st_mode & 0o777
      // The group's permissions are for that group only: a different group gets the permissions of others.
      if own.st_gid != facts.st_gid { mode = mode & ~0o070 | mode & (mode & 0o007) << 3 }
      _ = fchmod(descriptor, mode)
      copyExtendedAttributes(from: model, to: descriptor)
      return descriptor
    }

    private static func copyExtendedAttributes(from path: String, to descriptor: Int32) {
      let size = unsafe ExtendedAttributes.list(path, into: nil, 0)
      guard size > 0 else { return }
      var names = [CChar](repeating: 0, count: size)
      let count = unsafe ExtendedAttributes.list(path, into: &names, size)
      guard count > 0 else { return }
      for name in names.prefix(count).split(separator: 0) {
        let name = Array(name) + [0]
        let size = unsafe ExtendedAttributes.get(name, of: path, into: nil, 0)
        guard size >= 0 else { continue }
        var value = [UInt8](repeating: 0, count: size)
        let length = unsafe ExtendedAttributes.get(name, of: path, into: &value, size)
        if length >= 0 { ExtendedAttributes.set(name, of: descriptor, to: value, length) }
      }
    }
  #endif
}

#if !(os(Windows) || os(WASI))
  /// The calls for extended attributes, which glibc has but does not export to Swift. A program that is linked without
  /// them copies no attributes.
  private enum ExtendedAttributes {
    #if canImport(Darwin)
      static func list(_ path: String, into names: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
        listxattr(path, names, size, 0)
      }
      static func get(_ name: [CChar], of path: String, into value: UnsafeMutableRawPointer?, _ size: Int) -> Int {
        getxattr(path, name, value, size, 0, 0)
      }
      static func set(_ name: [CChar], of descriptor: Int32, to value: [UInt8], _ size: Int) {
        _ = fsetxattr(descriptor, name, value, size, 0, 0)
      }
    #else
      // The casts are right because the manual gives the functions these types.
      private typealias Lister = @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<CChar>?, Int) -> Int
      private typealias Getter =
        @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeMutableRawPointer?, Int) -> Int
      private typealias Setter = @convention(c) (Int32, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32) -> Int32
      private static let lister = unsafe dlsym(nil, "listxattr").map { unsafe unsafeBitCast($0, to: Lister.self) }
      private static let getter = unsafe dlsym(nil, "getxattr").map { unsafe unsafeBitCast($0, to: Getter.self) }
      private static let setter = unsafe dlsym(nil, "fsetxattr").map { unsafe unsafeBitCast($0, to: Setter.self) }

      static func list(_ path: String, into names: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
        unsafe lister?(path, names, size) ?? 0
      }
      static func get(_ name: [CChar], of path: String, into value: UnsafeMutableRawPointer?, _ size: Int) -> Int {
        unsafe getter?(path, name, value, size) ?? -1
      }
      static func set(_ name: [CChar], of descriptor: Int32, to value: [UInt8], _ size: Int) {
        _ = unsafe setter?(descriptor, name, value, size, 0)
      }
    #endif
  }
#endif
