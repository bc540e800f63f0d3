import FiefGraph
import Foundation

/// The address of an `Any`, or of a value that is known to be a text.
///
///     Any    three words for the value, or for the address of one that is larger │ its type
///
/// Why this is right: as for `exactly`. A value is read as a type only when that is the type that stands in the fourth
/// word (or the caller knows that texts lie there), and only as types of at most three words that lie in those words
/// themselves: `plainType` names them all, and asks each. Who gives an address holds what lies there.
struct BoxedValue {
  let address: UnsafeRawPointer

  /// The type of the value; not to be asked where a text lies.
  @inline(__always)
  var type: UInt { address.load(fromByteOffset: 24, as: UInt.self) }

  /// The value, whatever it is; not to be asked where a text lies.
  @inline(__always)
  var value: Any { address.assumingMemoryBound(to: Any.self).pointee }

  /// The value as what it is known to be.
  @inline(__always)
  func load<Value>(as type: Value.Type) -> Value { address.assumingMemoryBound(to: Value.self).pointee }

  /// What is the same for every value of a type, and for no other type.
  @inline(__always)
  static func identity(of type: Any.Type) -> UInt { unsafeBitCast(type, to: UInt.self) }

  /// The type whose values are what a column of scalars stores; nil for columns whose values have to be looked at
  /// first.
  static func plainType(_ type: ColumnType) -> Any.Type? {
    guard type.shape == .single else { return nil }
    switch type.kind {
    case .int: return type.width == .bits64 ? inline(Int.self) : nil
    case .bool: return inline(Bool.self)
    case .double: return inline(Double.self)
    case .float: return inline(Float.self)
    case .string: return inline(String.self)
    case .data: return inline(Data.self)
    case .objectId: return inline(ObjectId.self)
    case .uuid: return inline(UUID.self)
    case .decimal: return inline(Decimal128.self)
    case .date, .link, .any: return nil
    }
  }

  private static func inline<Value>(_ type: Value.Type) -> Any.Type? {
    MemoryLayout<Value>.size <= 24 && MemoryLayout<Value>.alignment <= 8 ? type : nil
  }
}
