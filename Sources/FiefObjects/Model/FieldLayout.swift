import FiefRuntime
import Synchronization

/// The places of the wrappers (`@Persisted`) and the older property objects of a class in its instances.
///
///     instance ─┬─ ObjectBase's own
///               ├─ offset 64: Persisted<String>      ── field 0 "name"
///               └─ offset 96: Persisted<List<Dog>>   ── field 1 "dogs"
///
/// The standard library gives names, types and offsets once for each class; a layout lives for ever after. Superclass
/// first, then in the order of declaration.
@safe  // The places are those of the class, and their memory is never freed.
@usableFromInline
final class FieldLayout: @unchecked Sendable {
  /// One stored property that is kept in a store.
  struct Field {
    let name: String
    let offset: Int
    let type: any AnyPersistedField.Type
    /// The offset of the tag of a wrapper in the instance; nil for a property object.
    var tag: Int? { type.tagOffset.map { offset + $0 } }

    /// The options that a wrapper was declared with.
    func declaration(in object: ObjectBase) -> _Declaration {
      tag.map { unsafe _WrapperTag.at(object.address + $0).pointee.declaration } ?? []
    }
  }

  /// Where the wrapper of a property is in an instance, and where its tag.
  struct Place {
    let offset: Int32
    let tag: Int32
  }

  let fields: [Field]
  /// The places of the wrappers, -1 for a property object; the index in this array is the property's number.
  let places: UnsafeBufferPointer<Place>
  /// The numbers of the fields that are objects (`let dogs = List<Dog>()`), not wrappers.
  let legacy: [Int]
  /// Wrappers that the class names in `ignoredProperties()`: plain properties, which hold their values whatever becomes
  /// of the object.
  let ignored: [Field]
  /// Whether there is anything but wrappers that are kept.
  let isMixed: Bool
  /// Whether every stored property that the subclasses of `ObjectBase` declare is a wrapper, so that a managed instance
  /// holds nothing but what its store holds.
  @usableFromInline let isPure: Bool
  /// Properties that are declared in a way that cannot be kept, and why.
  let problems: [(name: String, problem: String)]
  /// The number of the field with the primary key, -1 without one; -2 until an instance was asked.
  private let keyNumber = Atomic<Int>(-2)

  private init(_ type: ObjectBase.Type) {
    var fields: [Field] = []
    var others = 0
    var lazyNames: [String] = []
    StoredFields.forEach(of: type) { name, offset, fieldType in
      guard offset >= ObjectBase.end else { return }
      if let kept = fieldType as? any AnyPersistedField.Type {
        // A wrapper's storage is called as the property with an underscore before it.
        let property = kept.isWrapper && name.hasPrefix("_") ? String(name.dropFirst()) : name
        fields.append(Field(name: property, offset: offset, type: kept))
      } else {
        others += 1
        // A lazy property is stored as an optional, under a name of the compiler's.
        if name.hasPrefix(lazyPrefix), let optional = fieldType as? any AnyOptionalField.Type, optional.isKept {
          lazyNames.append(String(name.dropFirst(lazyPrefix.count)))
        }
      }
    }
    let ignored = Set(type.ignoredProperties())
    // A class with wrappers manages those and its older declarations; what is ignored is neither.
    let plain = fields.filter { ignored.contains($0.name) }
    self.ignored = plain.filter { $0.type.isWrapper }
    fields.removeAll { ignored.contains($0.name) }
    self.fields = fields
    legacy = fields.indices.filter { !fields[$0].type.isWrapper }
    problems = lazyNames.filter { !ignored.contains($0) }.map {
      (name: $0, problem: "cannot be lazy: its object must be there from the start")
    }
    // A dynamic object has a field for the unmanaged object that it shows, which is nil in managed ones.
    isPure = (others == 0 || type == DynamicObject.self) && legacy.isEmpty && plain.isEmpty
    isMixed = !legacy.isEmpty || !self.ignored.isEmpty
    let places = UnsafeMutableBufferPointer<Place>.allocate(capacity: fields.count)
    for (index, field) in fields.enumerated() {
      if field.offset & 7 != 0 || field.offset >> 3 > UInt16.max {
        fatalError("\(type) declares more properties than an object can hold.")
      }
      let tag = field.tag.map { Int32($0) }
      unsafe places[index] = Place(offset: tag == nil ? -1 : Int32(field.offset), tag: tag ?? -1)
    }
    unsafe self.places = UnsafeBufferPointer(places)
  }

  /// The layout of a class. A few nanoseconds after the first time.
  static func of(_ type: ObjectBase.Type) -> FieldLayout { borrowed(type).counted }

  /// The layout of a class, without a reference counted: it lives for ever.
  @usableFromInline
  static func borrowed(_ type: ObjectBase.Type) -> Borrowed<FieldLayout> {
    table.find(type) ?? table.insert(FieldLayout(type), for: type)
  }

  private static let table = ClassTable<FieldLayout>()

  /// The field with the primary key; nil without one. The class is not described for it, as that makes an instance, and
  /// an initialiser may ask. It is if the first instance that is asked was decoded: its wrappers do not know.
  ///
  /// - Parameter object: an instance of the class.
  func primaryKey(of object: ObjectBase) -> Field? {
    var number = keyNumber.load(ordering: .relaxed)
    if number == -2 {
      let older = type(of: object).legacyPrimaryKey
      number = fields.firstIndex { $0.name == older || $0.declaration(in: object).contains(.primaryKey) } ?? -1
      if number < 0, fields.contains(where: { $0.declaration(in: object).contains(.unknown) }) {
        number = ModelClass.of(type(of: object)).properties.firstIndex(where: \.isPrimaryKey) ?? -1
      }
      keyNumber.store(number, ordering: .relaxed)
    }
    return number < 0 ? nil : fields[number]
  }
}

private let lazyPrefix = "$__lazy_storage_$_"

/// An optional of whatever.
private protocol AnyOptionalField {
  /// Whether a field of the wrapped type would be kept in a store.
  static var isKept: Bool { get }
}

extension Optional: AnyOptionalField {
  static var isKept: Bool { Wrapped.self is any AnyPersistedField.Type }
}
