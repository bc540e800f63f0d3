import FiefCopying
import FiefGraph
import Foundation
import Testing

@Suite struct GraphReaderTests {
  private let store: FakeStore
  private let ann = FakeObject("Person", ["id": .stored(.int(7)), "name": .stored(.string("Ann"))])
  private let rex = FakeObject("Pet", ["name": .stored(.string("Rex"))])

  init() throws {
    store = try FakeStore()
    ann.values["pets"] = .collection(FakeCollection(rex))
  }

  private func read(_ options: CopyOptions = CopyOptions()) throws -> GraphReader {
    let reader = GraphReader(FakeReader(store), options, readsScalars: true)
    try reader.read(ann)
    return reader
  }

  private func text(_ reader: GraphReader) -> String {
    String(decoding: DocumentPrinter.print(DocumentWriter.tree(of: reader), [.sortedKeys]), as: UTF8.self)
  }

  @Test func aGraphBecomesATreeOfJSON() throws {
    ann.values["home"] = .object(FakeObject("Home", ["city": .stored(.string("Rome"))]))
    let expected = """
      {"$class":"Person","best":null,"home":{"annex":null,"city":"Rome"},"id":7,"name":"Ann","note":null,\
      "pets":[{"keeper":null,"name":"Rex"}]}
      """
    #expect(try text(read()) == expected)
  }

  @Test func anObjectThatIsMetAgainIsReferredTo() throws {
    rex.values["keeper"] = .object(ann)
    let text = try text(read())
    #expect(text.contains(#""$id":1"#) && text.contains(#""keeper":{"$ref":1}"#))
    var options = CopyOptions()
    options.cycles = .refuse
    let error = #expect(throws: CopyError.self) { try read(options) }
    #expect(error?.code == .cycle && error?.message.contains("Person.pets[0].keeper -> Person") == true)
  }

  @Test func theLastDepthHasNoLinks() throws {
    ann.values["note"] = .object(rex)
    #expect(try read(CopyOptions(depth: 0)).nodes.count == 1)
    #expect(try text(read(CopyOptions(depth: 0))).contains(#""note":null,"pets":[]"#))
    #expect(try read(CopyOptions(depth: 1)).nodes.count == 2)
  }

  @Test func aFilterLeavesPropertiesOut() throws {
    let options = CopyOptions(properties: .matching { _, name in name == "name" })
    #expect(try text(read(options)) == #"{"$class":"Person","id":7,"name":"Ann"}"#)
  }

  @Test func aChainOfAnyLengthIsReadWithoutRecursion() throws {
    var last = ann
    for id in 0..<20_000 {
      let next = FakeObject("Person", ["id": .stored(.int(Int64(id)))])
      last.values["best"] = .object(next)
      last = next
    }
    let reader = try read()
    #expect(reader.nodes.count == 20_002 && text(reader).contains("$objects"))
    // Objects are freed by recursion.
    var next: FakeObject? = ann
    while case .object(let object)? = next?.values.removeValue(forKey: "best") { next = object as? FakeObject }
  }
}
