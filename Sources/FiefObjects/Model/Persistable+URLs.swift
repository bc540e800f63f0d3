public import Foundation

// URLs, stored as strings. `_CustomPersistable` documents the requirements.
//
// An application may conform `URL` to `CustomPersistable` or `FailableCustomPersistable` itself, mapped to `String`.
// Its conformance finds this one in place of those that it implies. No member here has a name that it declares: the
// alias of the mapped type stands for `PersistedType` by an attribute.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension URL: _CustomPersistable {
  @_implements(_HasPersistedType,PersistedType) public typealias _PersistedURL = String

  public static func _fromPersisted(_ text: String) -> URL? { URLMapping.current.url(of: text) }
  public var _persisted: String { URLMapping.current.text(of: self) }

  /// The value for a text that is no URL, the empty one of a new column included, where there has to be one.
  public static func _absent() -> URL? { URLMapping.current.isOfTheLibrary ? URLMapping.blank : nil }

  public static func _load(_ object: ObjectBase, _ index: Int) -> URL {
    guard let value = _loadOrNil(object, index) ?? _absent() else { object.cannotRead(index, as: URL.self) }
    return value
  }

  public static func _makeDefault() -> URL {
    guard let value = _fromPersisted("") ?? _absent() else { hasNoDefault(URL.self) }
    return value
  }

  // A traced key path needs any URL, also where the application has none for an empty text.
  public static func _standIn() -> URL? { _fromPersisted("") ?? URLMapping.blank }
}

/// How URLs become strings, and strings URLs: by the conversions of the application where it conforms `URL` to one of
/// the two protocols, otherwise by their absolute text.
struct URLMapping: @unchecked Sendable {
  // Sendable, as its content is metatypes.

  private let certain: (any CustomPersistable.Type)?
  private let failable: (any FailableCustomPersistable.Type)?

  static let blank = URL(string: "about:blank")

  /// The mapping of this process. Conformances are looked up once.
  static let current = URLMapping(URL.self)

  init(_ type: Any.Type) {
    certain = type as? any CustomPersistable.Type
    failable = type as? any FailableCustomPersistable.Type
  }

  /// Whether the application has no mapping of its own.
  var isOfTheLibrary: Bool { certain == nil && failable == nil }

  /// The URL for a stored text; nil when it has another form.
  func url(of text: String) -> URL? {
    if let certain { return Self.url(of: text, certain) }
    if let failable { return Self.url(of: text, failable) }
    return URL(string: text)
  }

  /// The text that is stored for a URL.
  func text(of url: URL) -> String {
    if isOfTheLibrary { return url.absoluteString }
    let text: Any
    switch url as Any {
    case let url as any CustomPersistable: text = url.persistableValue
    case let url as any FailableCustomPersistable: text = url.persistableValue
    default: return url.absoluteString
    }
    // The conformance of `URL` above says which type it is.
    return text as? String ?? url.absoluteString
  }

  private static func url<Custom: CustomPersistable>(of text: String, _ type: Custom.Type) -> URL? {
    (text as? Custom.PersistedType).flatMap { Custom(persistedValue: $0) as? URL }
  }

  private static func url<Custom: FailableCustomPersistable>(of text: String, _ type: Custom.Type) -> URL? {
    (text as? Custom.PersistedType).flatMap { Custom(persistedValue: $0) as? URL }
  }
}
