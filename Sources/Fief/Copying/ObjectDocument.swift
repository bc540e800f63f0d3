import Foundation

/// An object and all that it reaches, as a document: what JSON can say, from which an equal graph can be made again.
///
///     let document = ObjectDocument(person)
///     let json = try document.json()
///     …
///     let copy = try ObjectDocument(json: json).object(as: Person.self)      // unmanaged
///     try realm.write { realm.add(copy) }
///
/// It reads as one would write it by hand:
///
///     { "$class": "Person", "$id": 1, "name": "Ann", "dogs": [ { "name": "Rex", "owner": { "$ref": 1 } } ] }
///
/// | marker | means |
/// | --- | --- |
/// | `$class` | the class, where the property does not say it: at the root, in any-values, and wherever others refer to |
/// | `$id` | the number by which others refer to what stands here; given to what is referred to |
/// | `$ref` | what stands elsewhere under that `$id` |
/// | `$objects` | at the root: what would be nested too deep |
/// | `$list`, `$map` | a list or dictionary of an any-value that has an `$id` |
/// | `$date`, `$data`, `$objectId`, `$uuid`, `$decimal`, `$float`, `$double` | in any-values: the text of a value that JSON would take for another |
///
/// In properties that say their type, dates are texts such as `2024-02-29T12:34:56Z`, data is Base64, identifiers and
/// decimals are their texts, and numbers that JSON does not have (`nan`, `inf`, `-inf`) are texts too. Enums and custom
/// types are what they are stored as.
///
/// Documents of equal graphs are equal, as long as no unmanaged set of objects is in them, which has no order. A
/// document is a value and belongs to no realm or thread.
public struct ObjectDocument: Equatable, Sendable {
  let tree: DocumentTree

  /// The document of an object, managed or not.
  ///
  /// - Parameters:
  ///   - object: where it begins.
  ///   - depth: how many steps along links are followed, at least 0; nil follows all. Links and collections of objects
  ///     of the last step are empty.
  ///   - properties: which properties are in it.
  /// - Complexity: linear in the objects and values.
  ///
  /// Traps for objects that were deleted, and on threads where the object may not be read.
  public init(_ object: ObjectBase, depth: Int? = nil, properties: CopyFilter = .all) {
    let reader = GraphReader(
      CopyOptions(depth: depth.map { max(0, $0) }, properties: properties), readsScalars: true)
    // Cycles are kept, so nothing is refused.
    try? reader.read(object)
    tree = DocumentWriter.tree(of: reader)
  }

  /// A document from dictionaries: what `JSONSerialization` makes of its JSON, or what a program puts together.
  ///
  /// - Throws: `Realm.Error.invalidValue` for values that JSON does not have, and for more than 512 levels.
  public init(_ dictionary: [String: Any]) throws { tree = try DocumentTree(plain: dictionary) }

  /// A document from JSON: UTF-8, however deep, by RFC 8259 to the letter.
  ///
  /// Whole numbers that fit become integers, others the nearest double; where that is not all that is written, they are
  /// kept as `Decimal128`.
  ///
  /// - Throws: `Realm.Error.invalidValue` with line, byte and path for what is no JSON, for a name that stands twice in
  ///   one object, for numbers beyond `Decimal128`, and where the outermost value is no object.
  /// - Complexity: linear in the bytes.
  public init(json: Data) throws {
    tree = try DocumentParser.parse([UInt8](json))
    guard case .object = tree.root else {
      throw Realm.Error(.invalidValue, "Invalid JSON: the document of an object begins with an object.")
    }
  }

  /// The document as dictionaries, arrays, texts, numbers and `NSNull`.
  ///
  /// Swift frees dictionaries inside each other by recursion: a document that was read with many thousands of levels is
  /// better made into objects by `object(as:)`, or left as it is.
  public var dictionary: [String: Any] { tree.plain as? [String: Any] ?? [:] }

  /// The document as JSON.
  ///
  /// - Parameter formatting: how it is laid out, as by `JSONEncoder`; by default in one line. Keys are in order always,
  ///   so that equal documents are equal texts.
  /// - Throws: nothing, so far; the signature is the one that programs are written against.
  /// - Complexity: linear in what is written.
  public func json(_ formatting: JSONEncoder.OutputFormatting = [.sortedKeys]) throws -> Data {
    DocumentPrinter.print(tree, formatting)
  }
}

extension ObjectDocument: Codable {
  /// Writes the document with a coder of the program; `json(_:)` is the fast way to JSON.
  ///
  /// - Throws: what the coder throws, and `EncodingError` for a document of more than 512 levels.
  public func encode(to encoder: any Encoder) throws { try tree.encode(to: encoder) }

  /// Reads a document with a coder of the program; `init(json:)` is the fast way from JSON. What the objects are is not
  /// looked at before they are made.
  ///
  /// - Throws: what the coder throws, and `DecodingError` for a document of more than 512 levels.
  public init(from decoder: any Decoder) throws {
    tree = try DocumentTree(from: decoder)
    guard case .object = tree.root else {
      throw DecodingError.typeMismatch(
        [String: Any].self,
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: "The document of an object begins with an object."))
    }
  }
}
