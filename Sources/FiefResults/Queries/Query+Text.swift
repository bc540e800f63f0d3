import FiefGraph
import FiefObjects
import FiefQueries
import Foundation

/// The differences between strings that a query ignores. Without options strings are compared byte by byte.
///
///     dogs.where { $0.name.contains("re", options: [.caseInsensitive, .diacriticInsensitive]) }
@frozen
public struct StringOptions: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt

  /// The options with those bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Ignores case, by full case folding: `ß` matches `SS`.
  ///
  ///     dogs.where { $0.name.equals("REX", options: .caseInsensitive) }
  public static let caseInsensitive = StringOptions(rawValue: 1)
  /// Ignores nonspacing marks: `é` matches `e`.
  ///
  ///     persons.where { $0.name.equals("Rene", options: .diacriticInsensitive) }          // finds René
  public static let diacriticInsensitive = StringOptions(rawValue: 2)

  var textOptions: TextOptions {
    var options: TextOptions = []
    if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
    if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
    return options
  }
}

// No string contains, begins with or ends with an empty string.
extension Query where T: _HasPersistedType, T.PersistedType: _QueryString {
  /// Whether the string is the empty one; false for null. A property with an index uses it.
  ///
  ///     dogs.where { $0.name.isEmpty || $0.home.city.isEmpty }
  public var isEmpty: Query<Bool> { compare(.equal, QueryOperand(.value(.string("")))) }

  /// Whether the string contains another, which is not empty; false for null.
  ///
  ///     dogs.where { $0.name.contains("ex") }
  ///
  /// - Parameters:
  ///   - value: the string to find. No string contains an empty one.
  ///   - options: differences that the comparison ignores.
  public func contains(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compare(.contains, Self.constant(value), options: options.textOptions)
  }

  /// Whether the string contains that of another property.
  ///
  ///     dogs.where { $0.name.contains($0.favoriteToy) }
  public func contains<U: _HasPersistedType>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U.PersistedType: _QueryString { compare(.contains, with: column, options: options.textOptions) }

  /// Whether the string begins with another, which is not empty; false for null. A property with an index uses it, if
  /// there are no options.
  ///
  ///     dogs.where { $0.name.starts(with: "re", options: .caseInsensitive) }
  public func starts(with value: T, options: StringOptions = []) -> Query<Bool> {
    compare(.beginsWith, Self.constant(value), options: options.textOptions)
  }

  /// Whether the string begins with that of another property.
  ///
  ///     dogs.where { $0.name.starts(with: $0.favoriteToy) }
  public func starts<U: _HasPersistedType>(with column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U.PersistedType: _QueryString { compare(.beginsWith, with: column, options: options.textOptions) }

  /// Whether the string ends with another, which is not empty; false for null.
  ///
  ///     dogs.where { $0.name.ends(with: "us") }
  public func ends(with value: T, options: StringOptions = []) -> Query<Bool> {
    compare(.endsWith, Self.constant(value), options: options.textOptions)
  }

  /// Whether the string ends with that of another property.
  ///
  ///     dogs.where { $0.name.ends(with: $0.favoriteToy) }
  public func ends<U: _HasPersistedType>(with column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U.PersistedType: _QueryString { compare(.endsWith, with: column, options: options.textOptions) }

  /// Whether the string equals another.
  ///
  ///     dogs.where { $0.name.equals("rex", options: [.caseInsensitive, .diacriticInsensitive]) }
  public func equals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compare(.equal, Self.constant(value), options: options.textOptions)
  }

  /// Whether the string equals that of another property.
  ///
  ///     dogs.where { $0.name.equals($0.favoriteToy, options: .caseInsensitive) }
  public func equals<U: _HasPersistedType>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U.PersistedType: _QueryString { compare(.equal, with: column, options: options.textOptions) }

  /// Whether the string differs from another.
  ///
  ///     dogs.where { $0.name.notEquals("rex", options: .caseInsensitive) }
  public func notEquals(_ value: T, options: StringOptions = []) -> Query<Bool> {
    compare(.notEqual, Self.constant(value), options: options.textOptions)
  }

  /// Whether the string differs from that of another property.
  ///
  ///     dogs.where { $0.name.notEquals($0.favoriteToy, options: .caseInsensitive) }
  public func notEquals<U: _HasPersistedType>(_ column: Query<U>, options: StringOptions = []) -> Query<Bool>
  where U.PersistedType: _QueryString { compare(.notEqual, with: column, options: options.textOptions) }

  /// Whether the string matches a pattern as a whole.
  ///
  ///     dogs.where { $0.name.like("R?x*", caseInsensitive: true) }
  ///
  /// - Parameters:
  ///   - value: the pattern: `?` matches one character, `*` any number; `\` before one of these makes it an ordinary
  ///     character.
  ///   - caseInsensitive: whether case is ignored.
  public func like(_ value: T, caseInsensitive: Bool = false) -> Query<Bool> {
    compare(.like, Self.constant(value), options: caseInsensitive ? .caseInsensitive : [])
  }

  /// Whether the string matches that of another property as a pattern.
  ///
  ///     dogs.where { $0.name.like($0.favoriteToy) }
  public func like<U: _HasPersistedType>(_ column: Query<U>, caseInsensitive: Bool = false) -> Query<Bool>
  where U.PersistedType: _QueryString { compare(.like, with: column, options: caseInsensitive ? .caseInsensitive : []) }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryString {
  /// Whether the text contains the given words, at any position.
  ///
  ///     articles.where { $0.body.fullText("swan lake -duck ball*") }
  ///
  /// Words consist of letters and digits; case and diacritics are ignored. All words must occur; a word behind `-` must
  /// not, and `*` behind a word matches any ending. A search without words finds nothing; one with exclusions only
  /// finds all other strings.
  ///
  /// - Parameter words: the words, separated by anything but letters and digits.
  /// - Complexity: a property with `@Persisted(indexed: .fullText)` uses its index; otherwise every text is read.
  public func fullText(_ words: String) -> Query<Bool> { compare(.fullText, QueryOperand(.value(.string(words)))) }
}

extension Query where T: _HasPersistedType, T.PersistedType: _QueryBinary {
  /// Whether the bytes contain others.
  ///
  ///     dogs.where { $0.photo.contains(Data("Exif".utf8)) }
  public func contains(_ value: T) -> Query<Bool> { compare(.contains, Self.constant(value)) }
  /// Whether the bytes begin with others.
  ///
  ///     dogs.where { $0.photo.starts(with: Data([0x89, 0x50, 0x4E, 0x47])) }
  public func starts(with value: T) -> Query<Bool> { compare(.beginsWith, Self.constant(value)) }
  /// Whether the bytes end with others.
  ///
  ///     dogs.where { $0.photo.ends(with: Data([0xFF, 0xD9])) }
  public func ends(with value: T) -> Query<Bool> { compare(.endsWith, Self.constant(value)) }
  /// Whether the bytes equal others.
  ///
  ///     dogs.where { $0.photo.equals(data) }
  public func equals(_ value: T) -> Query<Bool> { compare(.equal, Self.constant(value)) }
  /// Whether the bytes differ from others.
  ///
  ///     dogs.where { $0.photo.notEquals(data) }
  public func notEquals(_ value: T) -> Query<Bool> { compare(.notEqual, Self.constant(value)) }

  /// How many bytes there are, or characters of a string; null for null.
  ///
  ///     dogs.where { $0.name.count > 3 }
  ///
  /// Characters are counted as `String.count` counts them. Format strings spell it `name.@length`.
  ///
  /// - Complexity: O(n) in the bytes of a string, for each row.
  public var count: Query<Int> { step(.length) }

  /// Whether there is no byte, or no character of a string; false for null.
  ///
  ///     dogs.where { !$0.photo.isEmpty }
  public var isEmpty: Query<Bool> { count.compare(.equal, to: 0) }
}
