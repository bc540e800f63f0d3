// Lists and sets are encoded as arrays, maps as objects. Managed collections can be encoded; decoded collections are
// unmanaged.

import FiefObjects

extension RealmCollection where Element: Encodable {
  /// Writes the elements as an array.
  ///
  ///     let json = try JSONEncoder().encode(person.lucky)          // [3,7]
  ///
  /// - Throws: the error of the encoder, or of an element.
  public func encode(to encoder: any Encoder) throws {
    try Array(self).encode(to: encoder)
  }
}

extension List: Encodable where Element: Encodable {}
extension MutableSet: Encodable where Element: Encodable {}
extension Results: Encodable where Element: Encodable {}
extension AnyRealmCollection: Encodable where Element: Encodable {}

extension List: Decodable where Element: Decodable {
  /// Reads an unmanaged list from an array.
  ///
  ///     let lucky = try JSONDecoder().decode(List<Int>.self, from: Data("[3,7]".utf8))
  ///
  /// - Throws: `DecodingError` when the input is not an array, or an element has the wrong form.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    unmanaged = try [Element](from: decoder)
  }
}

extension MutableSet: Decodable where Element: Decodable {
  /// Reads an unmanaged set from an array; duplicates are dropped.
  ///
  ///     let tags = try JSONDecoder().decode(MutableSet<String>.self, from: Data(#"["tall","shy"]"#.utf8))
  ///
  /// - Throws: `DecodingError` when the input is not an array, or an element has the wrong form.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    unmanaged = UnmanagedSet(try [Element](from: decoder))
  }
}

extension Map: Encodable where Value: Encodable {
  /// Writes the entries as an object.
  ///
  ///     let json = try JSONEncoder().encode(person.scores)          // {"chess":7}
  ///
  /// - Throws: the error of the encoder, or of a value; `EncodingError` for two keys that differ in their bytes and are
  ///   one key to Swift, as the two forms of `é` are: encoders keep one of them. `ObjectDocument` keeps both.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: EntryName.self)
    var names: Set<String> = []
    for entry in self {
      let name = Self.text(entry.key)
      guard names.insert(name).inserted else {
        throw EncodingError.invalidValue(
          self,
          EncodingError.Context(
            codingPath: encoder.codingPath,
            debugDescription:
              "The map has two keys that are canonically equivalent to '\(name)', of which an encoder keeps one: write "
              + "the object as an ObjectDocument."))
      }
      try container.encode(entry.value, forKey: EntryName(name))
    }
  }
}

extension Map: Decodable where Value: Decodable {
  /// Reads an unmanaged map from an object. Of keys that are canonically equivalent, the decoders of Foundation keep
  /// one.
  ///
  ///     let scores = try JSONDecoder().decode(Map<String, Int>.self, from: Data(#"{"chess":7}"#.utf8))
  ///
  /// - Throws: `DecodingError` when the input is not an object, or a value has the wrong form.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    for (name, value) in try [String: Value](from: decoder) { self[Self.key(name)] = value }
  }
}

/// The key of a map's entry in encoded form.
private struct EntryName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }
}
