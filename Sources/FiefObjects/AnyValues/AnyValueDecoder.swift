import Foundation

/// Decodes values from any-values.
struct AnyValueDecoder: Decoder {
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private let value: AnyRealmValue
  /// The members that the value may lack.
  private let defaults: AnyRealmValue

  private init(_ value: AnyRealmValue, _ defaults: AnyRealmValue, _ codingPath: [any CodingKey]) {
    (self.value, self.defaults, self.codingPath) = (value, defaults, codingPath)
  }

  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - type: the type of the value.
  ///   - value: the encoded form. Required members that it lacks are those of `init()`, for types that have one.
  /// - Throws: `DecodingError`, and the errors that types throw while they are decoded.
  static func decode<Value: Decodable>(_ type: Value.Type, from value: AnyRealmValue) throws -> Value {
    try AnyValueDecoder(value, .none, []).read(type)
  }

  fileprivate func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if let held = value.held(as: type) {
      guard let held else { throw mismatch(type) }
      return held
    }
    if codingPath.count > greatestCodingDepth {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: codingPath, debugDescription: "It is nested too deep."))
    }
    do { return try Value(from: self) } catch DecodingError.keyNotFound(let key, let context) {
      // A member was added. A second failure has another cause than a missing member.
      guard isNone(defaults), let type = type as? any PersistableCodable.Type else {
        throw DecodingError.keyNotFound(key, context)
      }
      let defaults = try AnyValueEncoder.encode(type.init())
      return try Value(from: AnyValueDecoder(value, defaults, codingPath))
    }
  }

  fileprivate func mismatch(_ type: Any.Type) -> DecodingError {
    .typeMismatch(
      type, DecodingError.Context(codingPath: codingPath, debugDescription: "The stored value is of another type."))
  }

  fileprivate var isNil: Bool { isNone(value) }

  private func isNone(_ value: AnyRealmValue) -> Bool { if case .none = value { true } else { false } }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let members = value.dictionaryValue else { throw mismatch([String: Any].self) }
    return KeyedDecodingContainer(Keyed<Key>(decoder: self, members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = value.listValue else { throw mismatch([Any].self) }
    return Unkeyed(decoder: self, elements: Array(elements))
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

  private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: AnyValueDecoder
    let members: Map<String, AnyRealmValue>
    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }

    private func defaultValue(_ key: any CodingKey) -> AnyRealmValue? {
      decoder.defaults.dictionaryValue?[key.stringValue]
    }

    // Optional members ask first. Nil is stored by leaving the member out, so it must not read as a default.
    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    private func member(_ key: any CodingKey) throws -> AnyValueDecoder {
      let fallback = defaultValue(key)
      guard let value = members[key.stringValue] ?? fallback else {
        throw DecodingError.keyNotFound(
          key,
          DecodingError.Context(codingPath: codingPath, debugDescription: "There is no member '\(key.stringValue)'."))
      }
      return AnyValueDecoder(value, fallback ?? .none, codingPath + [key])
    }

    func decodeNil(forKey key: Key) throws -> Bool { try member(key).isNil }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try member(key).read(type) }
    // The library's own methods for these two types refuse them, in all containers.
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try member(key).read(type) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try member(key).read(type) }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try member(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try member(key).unkeyedContainer()
    }
    func superDecoder() throws -> any Decoder { try member(CodingStep.superclass) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
  }

  private struct Unkeyed: UnkeyedDecodingContainer {
    let decoder: AnyValueDecoder
    let elements: [AnyRealmValue]
    var currentIndex = 0
    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    init(decoder: AnyValueDecoder, elements: [AnyRealmValue]) { (self.decoder, self.elements) = (decoder, elements) }

    /// The element at the present position.
    private func element() throws -> AnyValueDecoder {
      let path = codingPath + [CodingStep(currentIndex)]
      guard !isAtEnd else {
        throw DecodingError.valueNotFound(
          AnyRealmValue.self,
          DecodingError.Context(codingPath: path, debugDescription: "The list has no more elements."))
      }
      return AnyValueDecoder(elements[currentIndex], .none, path)
    }

    /// Reads the element at the present position, and goes on if it can be read.
    private mutating func next<Result>(_ read: (AnyValueDecoder) throws -> Result) throws -> Result {
      let result = try read(element())
      currentIndex += 1
      return result
    }

    mutating func decodeNil() throws -> Bool {
      guard try element().isNil else { return false }
      currentIndex += 1
      return true
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next { try $0.read(type) } }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try next { try $0.read(type) } }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try next { try $0.read(type) } }
    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try next { try $0.container(keyedBy: type) } }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try next { try $0.unkeyedContainer() }
    }
    mutating func superDecoder() throws -> any Decoder { try next { $0 } }
  }

  private struct Single: SingleValueDecodingContainer {
    let decoder: AnyValueDecoder
    var codingPath: [any CodingKey] { decoder.codingPath }

    func decodeNil() -> Bool { decoder.isNil }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.read(type) }
    func decode(_ type: Int128.Type) throws -> Int128 { try decoder.read(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try decoder.read(type) }
  }
}
