internal import FiefGraph
import Foundation

/// The text of a document of a store, piece by piece: its classes, each with an object in each line.
///
///     {
///     "Dog": [
///     {"$id":0,"name":"Rex"},
///     {"$id":1,"name":"Fido"}
///     ],
///     "Person": []
///     }
package struct StoreDocumentText {
  /// The text that was not taken yet.
  package private(set) var data = Data()
  private var memberCount = 0
  private var objectCount = 0

  package init() { data.append(contentsOf: "{".utf8) }

  /// Adds a member that is no class.
  package mutating func add(_ name: String, _ value: DocumentTree) {
    begin(name)
    data.append(DocumentPrinter.print(value, [.withoutEscapingSlashes]))
  }

  /// Begins the objects of a class.
  package mutating func beginClass(_ name: String) {
    begin(name)
    data.append(contentsOf: "[".utf8)
    objectCount = 0
  }

  /// Adds an object of the class.
  package mutating func add(_ object: DocumentTree) {
    data.append(contentsOf: objectCount == 0 ? "\n".utf8 : ",\n".utf8)
    objectCount += 1
    data.append(DocumentPrinter.print(object, [.withoutEscapingSlashes]))
  }

  /// Ends the objects of the class.
  package mutating func endClass() { data.append(contentsOf: objectCount == 0 ? "]".utf8 : "\n]".utf8) }

  /// Ends the document.
  package mutating func end() { data.append(contentsOf: "\n}\n".utf8) }

  /// Removes and returns the text so far.
  package mutating func take() -> Data {
    let taken = data
    data = Data()
    return taken
  }

  private mutating func begin(_ name: String) {
    data.append(contentsOf: memberCount == 0 ? "\n".utf8 : ",\n".utf8)
    memberCount += 1
    var builder = DocumentBuilder()
    builder.add(.string(name))
    data.append(DocumentPrinter.print(builder.finish(), [.withoutEscapingSlashes]))
    data.append(contentsOf: ": ".utf8)
  }
}
