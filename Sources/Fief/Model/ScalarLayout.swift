import FiefCopying
import FiefGraph
import FiefRuntime
import Foundation

/// The layout of a class for `ScalarValues`: its stored properties in an array that contains no reference-counted
/// fields.
final class ScalarLayout: @unchecked Sendable {
  // Immutable except for the classes of owned objects, which are set once, while the store opens.

  private(set) var properties: ContiguousArray<ScalarProperty> = []
  private let names: ContiguousArray<String>
  /// Write the values of an unmanaged object into a new row; nil for properties that are not scalars.
  let fillers: ContiguousArray<ClassBinding.Filler?>
  /// The indices of the properties whose defaults application code converts, and their fillers.
  let foreignFillers: ContiguousArray<(number: Int, filler: ClassBinding.ForeignFiller)>
  /// The index of the primary key.
  let key: Int?
  /// Whether all names are ASCII, so that a key in the short form equals a name exactly when their bytes are equal.
  private let hasPlainNames: Bool

  init(_ properties: ContiguousArray<RowProperty>) {
    names = ContiguousArray(properties.map { SmallString.compact($0.name) })
    fillers = ContiguousArray(
      properties.map { property in
        unsafe property.bound.access.fill.map {
          unsafe ClassBinding.Filler(offset: property.bound.offset, column: property.column, fill: $0)
        }
      })
    foreignFillers = ContiguousArray(
      properties.enumerated().filter {
        unsafe $1.bound.access.isForeign && $1.bound.access.fill != nil && !$1.isPrimaryKey
      }.map { ($0, ClassBinding.ForeignFiller($1)) })
    key = properties.firstIndex(where: \.isPrimaryKey)
    // Letters with accents have several forms, which are equal.
    hasPlainNames = SmallString.isAvailable && names.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
    self.properties = ContiguousArray(zip(properties, names).map(ScalarProperty.init))
  }

  /// The index of the stored property with a name. Names are few and mostly short, so comparing two words is faster
  /// than hashing.
  @inline(__always)
  func number(of name: UnsafePointer<String>) -> Int? {
    let words = unsafe SmallString.words(of: name.pointee)
    let number = unsafe properties.withUnsafeBufferPointer { properties in
      var number = 0
      while number < properties.count,
        unsafe properties[number].words.0 != words.0 || properties[number].words.1 != words.1
      {
        number &+= 1
      }
      return number
    }
    if number < properties.count { return number }
    // A text of ASCII in the short form that has the bytes of no name is none.
    if hasPlainNames && words.1 & SmallString.asciiFlags == SmallString.asciiFlags { return nil }
    return unsafe names.firstIndex(of: name.pointee)
  }

  /// Whether dictionaries can be read in place in this process.
  static let isAvailable = unsafe DictionaryStorage.isAvailable && Existential.isAvailable && SmallString.isAvailable

  /// Whether all properties are scalars.
  var isScalar: Bool { properties.allSatisfy(\.isScalar) }

  /// Sets the embedded class that a property owns an object of, if all properties of that class are scalars.
  func setOwnedClass(_ target: Borrowed<ClassBinding>, at number: Int) {
    let isScalar = target.with {
      $0.rows.kind == .embedded && !$0.rows.hasUniqueIndex && $0.scalarLayout.isScalar
    }
    if isScalar { properties[number].owned = target }
  }
}

/// A stored property in the layout of `ScalarValues`: plain words.
struct ScalarProperty {
  /// The words of the name's short string form.
  let words: (UInt64, UInt64)
  let type: ColumnType
  let column: ColumnKey
  let isScalar: Bool
  let isPrimaryKey: Bool
  /// The identity of the type whose values are stored without conversion; 0 for other columns.
  let plain: UInt
  /// The embedded class that the property holds one object of, if all properties of that class are scalars.
  fileprivate(set) var owned: Borrowed<ClassBinding>?

  init(_ property: RowProperty, _ name: String) {
    // Elsewhere a name has fewer bytes, and dictionaries are not read where they lie.
    words = SmallString.isAvailable ? SmallString.words(of: name) : (0, 0)
    type = property.type
    column = property.column
    isScalar = unsafe property.bound.access.fill != nil
    isPrimaryKey = property.isPrimaryKey
    plain = unsafe isScalar ? property.type.plainType.map(ExistentialPointer.identity(of:)) ?? 0 : 0
  }
}

extension ColumnType {
  /// The type whose values lie in an `Any` as a column of scalars stores them; nil for columns whose values have to be
  /// converted.
  fileprivate var plainType: Any.Type? {
    guard shape == .single else { return nil }
    switch kind {
    case .int: return unsafe width == .bits64 ? ExistentialPointer.inline(Int.self) : nil
    case .bool: return unsafe ExistentialPointer.inline(Bool.self)
    case .double: return unsafe ExistentialPointer.inline(Double.self)
    case .float: return unsafe ExistentialPointer.inline(Float.self)
    case .string: return unsafe ExistentialPointer.inline(String.self)
    case .data: return unsafe ExistentialPointer.inline(Data.self)
    case .objectId: return unsafe ExistentialPointer.inline(ObjectId.self)
    case .uuid: return unsafe ExistentialPointer.inline(UUID.self)
    case .decimal: return unsafe ExistentialPointer.inline(Decimal128.self)
    case .date, .link, .any: return nil
    }
  }
}
