@_spi(Reflection) import Swift

/// The stored properties of a type, by the standard library's own account of them.
///
/// It stands on `_forEachField`, an interface that the library offers under `@_spi(Reflection)`: a toolchain without it
/// does not compile this file, so there is no probe and no switch.
package enum StoredFields {
  /// Calls `body` with the name, the offset in bytes and the type of each stored property: of a class those of its
  /// superclasses first, then in the order of their declarations.
  package static func forEach(of type: Any.Type, _ body: (String, Int, Any.Type) -> Void) {
    let options = _EachFieldOptions(rawValue: type is AnyClass ? 1 : 0)
    _ = unsafe _forEachField(of: type, options: options) { name, offset, fieldType, _ in
      unsafe body(String(cString: name), offset, fieldType)
      return true
    }
  }

  /// The stored property of a name; nil when the type has none.
  package static func field(_ name: String, of type: Any.Type) -> (offset: Int, type: Any.Type)? {
    var found: (Int, Any.Type)?
    forEach(of: type) { if $0 == name { found = ($1, $2) } }
    return found
  }

  /// The first byte behind the stored properties of a type. What a subclass declares may begin there.
  package static func end(of type: Any.Type) -> Int {
    func size<Field>(_: Field.Type) -> Int { MemoryLayout<Field>.size }
    var end = 0
    forEach(of: type) { _, offset, fieldType in end = max(end, offset + _openExistential(fieldType, do: size)) }
    return end
  }
}
