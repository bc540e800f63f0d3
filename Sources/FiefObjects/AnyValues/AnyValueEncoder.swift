import Foundation

/// Encodes values as any-values.
struct AnyValueEncoder: Encoder {
  /// A part of the result, which its container fills.
  final class Node {
    fileprivate enum Form {
      case value(AnyRealmValue)
      case list([Node])
      case map([(key: String, node: Node)])
    }

    fileprivate var form = Form.value(.none)

    /// The finished any-value.
    fileprivate var value: AnyRealmValue {
      switch form {
      case .value(let value): value
      case .list(let nodes): .fromArray(nodes.map(\.value))
      case .map(let members):
        .fromDictionary(Dictionary(members.map { ($0.key, $0.node.value) }, uniquingKeysWith: { $1 }))
      }
    }

    fileprivate func member(_ key: any CodingKey) -> Node {
      let node = Node()
      if case .map(var members) = form {
        form = .value(.none)  // The array stays unshared.
        members.append((key.stringValue, node))
        form = .map(members)
      } else {
        form = .map([(key.stringValue, node)])
      }
      return node
    }

    fileprivate func element() -> Node {
      let node = Node()
      if case .list(var nodes) = form {
        form = .value(.none)
        nodes.append(node)
        form = .list(nodes)
      } else {
        form = .list([node])
      }
      return node
    }

    fileprivate var count: Int { if case .list(let nodes) = form { nodes.count } else { 0 } }
  }

  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private let node: Node

  private init(_ node: Node, _ codingPath: [any CodingKey]) { (self.node, self.codingPath) = (node, codingPath) }

  static func encode(_ value: some Encodable) throws -> AnyRealmValue {
    let root = AnyValueEncoder(Node(), [])
    try root.write(value)
    return root.node.value
  }

  fileprivate func write(_ value: some Encodable) throws {
    if let held = try AnyRealmValue(holding: value, at: codingPath) {
      node.form = .value(held)
    } else if codingPath.count > greatestCodingDepth {
      throw EncodingError.invalidValue(
        value, EncodingError.Context(codingPath: codingPath, debugDescription: "It is nested too deep."))
    } else {
      try value.encode(to: self)
    }
  }

  fileprivate func at(_ node: Node, _ key: any CodingKey) -> AnyValueEncoder {
    AnyValueEncoder(node, codingPath + [key])
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .map = node.form {} else { node.form = .map([]) }
    return KeyedEncodingContainer(Keyed<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .list = node.form {} else { node.form = .list([]) }
    return Unkeyed(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: AnyValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    private func member(_ key: any CodingKey) -> AnyValueEncoder { encoder.at(encoder.node.member(key), key) }

    func encodeNil(forKey key: Key) { _ = member(key) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try member(key).write(value) }
    // The library's own methods for these two types refuse them, in all containers.
    func encode(_ value: Int128, forKey key: Key) throws { try member(key).write(value) }
    func encode(_ value: UInt128, forKey key: Key) throws { try member(key).write(value) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<
      Nested
    > {
      member(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { member(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { member(CodingStep.superclass) }
    func superEncoder(forKey key: Key) -> any Encoder { member(key) }
  }

  private struct Unkeyed: UnkeyedEncodingContainer {
    let encoder: AnyValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.node.count }

    private func element() -> AnyValueEncoder {
      let position = count
      return encoder.at(encoder.node.element(), CodingStep(position))
    }

    func encodeNil() { _ = element() }
    func encode<Value: Encodable>(_ value: Value) throws { try element().write(value) }
    func encode(_ value: Int128) throws { try element().write(value) }
    func encode(_ value: UInt128) throws { try element().write(value) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
      element().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }
    func superEncoder() -> any Encoder { element() }
  }

  private struct Single: SingleValueEncodingContainer {
    let encoder: AnyValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() { encoder.node.form = .value(.none) }
    func encode<Value: Encodable>(_ value: Value) throws { try encoder.write(value) }
    func encode(_ value: Int128) throws { try encoder.write(value) }
    func encode(_ value: UInt128) throws { try encoder.write(value) }
  }
}
