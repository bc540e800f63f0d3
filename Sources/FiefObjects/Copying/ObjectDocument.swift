import FiefCopying
import FiefSessions
import Foundation

/// A JSON document of an object and all objects that it reaches. An equal graph can be made from it.
///
///     let document = ObjectDocument(person)
///     let json = try document.json()
///     …
///     let copy = try ObjectDocument(json: json).object(as: Person.self)      // unmanaged
///     try realm.write { realm.add(copy) }
///
/// For example:
///
///     { "$class": "Person", "$id": 1, "name": "Ann", "dogs": [ { "name": "Rex", "owner": { "$ref": 1 } } ] }
///
/// | marker | meaning |
/// | --- | --- |
/// | `$class` | the class, unless the property declares it: at the root, in any-values, and in objects with an `$id` |
/// | `$id` | the number by which a `$ref` refers to this object; only objects that are referred to have one |
/// | `$ref` | the object elsewhere with this `$id` |
/// | `$objects` | at the root: objects that would be nested too deep |
/// | `$list`, `$map` | a list or dictionary of an any-value that has an `$id`, or a key that begins with `$` |
/// | `$date`, `$data`, `$objectId`, `$uuid` | in any-values: a value of this type, as a string |
/// | `$decimal`, `$float`, `$double` | in any-values: a number that would be read as another type, as a string |
///
/// If the property declares the type, dates are strings such as `2024-02-29T12:34:56Z`, data is Base64, and
/// identifiers and decimals are strings. Numbers that JSON does not have (`nan`, `inf`, `-inf`) are strings too. Enums
/// and custom types have their stored form, also one that the type does not know. `create` stores it again; unmanaged
/// objects refuse a raw value without a case, and hold nil for what an optional custom type does not know.
///
/// Documents of equal graphs are equal, unless they contain an unmanaged set of objects, which has no order. A document
/// is a value type and belongs to no realm or thread.
public struct ObjectDocument: Equatable, Sendable, CustomStringConvertible {
  let tree: DocumentTree
  /// The JSON that the document was read from.
  private var source: Data?

  /// Whether two documents have equal contents.
  ///
  ///     print(ObjectDocument(dog) == ObjectDocument(dog.detached()))          // true
  public static func == (a: ObjectDocument, b: ObjectDocument) -> Bool { a.tree == b.tree }

  /// Makes the document of a managed or unmanaged object.
  ///
  ///     let document = ObjectDocument(person, depth: 1, properties: .except(\Person.diary))
  ///
  /// - Parameters:
  ///   - object: the root object.
  ///   - depth: the maximum number of links to follow, at least 0; nil follows all. In objects at the maximum depth,
  ///     links and collections of objects are empty.
  ///   - properties: the properties to include.
  /// - Complexity: linear in the objects and values.
  ///
  /// Traps for deleted objects, on threads where the object may not be read, and for a dynamic object whose class the
  /// program does not define.
  public init(_ object: ObjectBase, depth: Int? = nil, properties: CopyFilter = .all) {
    let reader = GraphReader(
      ObjectReading(), CopyOptions(depth: depth.map { max(0, $0) }, properties: properties), readsScalars: true)
    // Cycles are preserved, so nothing is thrown.
    try? reader.read(object)
    // A document without contents would be equal to that of every other such object.
    guard !reader.nodes.isEmpty else {
      if object.isInvalidated { Misuse.invalidated(object) }
      fatalError(
        "Object of class '\(object.model.name)' has no document: the program has no such class, by which it could be "
          + "read.")
    }
    tree = DocumentWriter.tree(of: reader)
  }

  /// Makes a document from dictionaries that `JSONSerialization` has parsed, or that a program has built.
  ///
  ///     let dog = try ObjectDocument(["name": "Rex", "age": 3]).object(as: Dog.self)
  ///
  /// - Parameter dictionary: the members of the root object: dictionaries, arrays, strings, numbers and `NSNull`.
  /// - Throws: `Realm.Error.invalidValue` for values that JSON does not have, and for more than 512 levels; `.cycle`
  ///   for a container that contains itself.
  /// - Complexity: linear in the values.
  public init(_ dictionary: [String: Any]) throws {
    tree = try Realm.Error.translating { try DocumentTree(foundationObject: dictionary) }
  }

  /// Makes a document from UTF-8 encoded JSON of any depth, strictly by RFC 8259.
  ///
  ///     let document = try ObjectDocument(json: Data(contentsOf: url))
  ///
  /// Whole numbers that fit become integers, and others the nearest double. A number whose digits the double does not
  /// reproduce becomes a `Decimal128`.
  ///
  /// - Parameter json: the bytes, whose outermost value is an object.
  /// - Throws: `Realm.Error.invalidValue` with line, byte and path for invalid JSON, for a name that occurs twice in
  ///   one object, for numbers beyond `Decimal128`, and when the outermost value is not an object.
  /// - Complexity: linear in the bytes.
  public init(json: Data) throws {
    tree = try Realm.Error.translating { try DocumentParser.parse([UInt8](json)) }
    source = json
    guard case .object = tree.root else {
      throw Realm.Error(.invalidValue, "Invalid JSON: the document of an object begins with an object.")
    }
  }

  /// The document as dictionaries, arrays, strings, numbers and `NSNull`. Decimals are `NSDecimalNumber`s, or
  /// `Decimal128` where Foundation cannot represent them exactly.
  ///
  ///     let name = ObjectDocument(dog).dictionary["name"] as? String
  ///
  /// Swift frees nested dictionaries by recursion. So a document that was read with many thousands of levels should be
  /// converted with `object(as:classes:)` instead.
  ///
  /// - Complexity: linear in the document.
  public var dictionary: [String: Any] { tree.foundationObject as? [String: Any] ?? [:] }

  /// The document as JSON in one line.
  public var description: String { String(decoding: DocumentPrinter.print(tree, [.sortedKeys]), as: UTF8.self) }

  /// The document as JSON.
  ///
  ///     let data = try ObjectDocument(person).json([.prettyPrinted])
  ///
  /// - Parameter formatting: the layout, as for `JSONEncoder`; a single line by default. Keys are always sorted, so
  ///   that equal documents have equal JSON.
  /// - Throws: nothing at present; the signature permits errors in later versions.
  /// - Complexity: linear in the size of the output.
  public func json(_ formatting: JSONEncoder.OutputFormatting = [.sortedKeys]) throws -> Data {
    DocumentPrinter.print(tree, formatting)
  }
}

extension ObjectDocument: Codable {
  /// Encodes the document with any coder; `json(_:)` is the fast way to JSON.
  ///
  ///     let list = try PropertyListEncoder().encode(ObjectDocument(dog))
  ///
  /// - Throws: the coder's errors, and `EncodingError` for a document of more than 512 levels.
  public func encode(to encoder: any Encoder) throws { try tree.encode(to: encoder) }

  /// Decodes a document with any coder; `init(json:)` is the fast way from JSON. The contents of the objects are
  /// validated only when the objects are made.
  ///
  ///     let dog = try PropertyListDecoder().decode(ObjectDocument.self, from: data).object(as: Dog.self)
  ///
  /// - Throws: the coder's errors, and `DecodingError` for a document of more than 512 levels.
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

extension ObjectDocument {
  /// Makes unmanaged objects from the document, with the links that it describes.
  ///
  ///     let person = try ObjectDocument(json: data).object(as: Person.self)
  ///
  /// Missing keys mean the declared default, as in `create`. A name that the class does not have is an error: it may be
  /// misspelt, and its value would be lost.
  ///
  /// - Parameters:
  ///   - type: the class of the object at the root.
  ///   - classes: the classes of objects in any-values, if the program has several classes of one name.
  ///   - ignoringUnknownNames: whether names that a class does not have are skipped, as for documents of a later
  ///     version of the program.
  /// - Returns: the object at the root; adding it to a realm adds all objects.
  /// - Throws: `Realm.Error.invalidValue` with class, path and value for the first error; for an unknown name also with
  ///   its line and byte, if the document was read from JSON.
  /// - Complexity: linear in the document.
  public func object<T: ObjectBase>(
    as type: T.Type, classes: [ObjectBase.Type] = [], ignoringUnknownNames: Bool = false
  ) throws -> T {
    let object: ObjectBase
    do {
      object = try UnmanagedBuilder.object(
        of: tree, as: type, classes: classes, ignoringUnknownNames: ignoringUnknownNames)
    } catch let unknown as UnknownName { throw Realm.Error(unknown, in: "document", source) }
    guard let object = object as? T else {
      throw Realm.Error(
        .invalidValue, "The document is of class '\(Swift.type(of: object).className())', expected \(type.className())."
      )
    }
    return object
  }
}

extension ObjectBase {
  /// Whether this object and another one have equal contents: the same class, equal values, and links that lead to
  /// objects with equal contents, in the same pattern of sharing and circles.
  ///
  ///     let draft = dog.detached()
  ///     if !draft.isContentEqual(to: dog) { print("The dog has changed, or the draft.") }
  ///
  /// The objects may belong to different realms, or to none. Linking objects are no contents. Sets of unmanaged objects
  /// have no order, so two of them may count as different. Traps for deleted objects, on threads where one of the
  /// objects may not be read, and for a dynamic object whose class the program does not define.
  ///
  /// - Parameters:
  ///   - other: the other object.
  ///   - depth: the maximum number of links to follow, at least 0; nil follows all. With 0, values alone are compared.
  ///   - properties: the properties to compare.
  /// - Complexity: linear in the objects and values.
  public final func isContentEqual(
    to other: ObjectBase, depth: Int? = nil, properties: CopyFilter = .all
  ) -> Bool {
    self === other
      || ObjectDocument(self, depth: depth, properties: properties)
        == ObjectDocument(other, depth: depth, properties: properties)
  }
}
