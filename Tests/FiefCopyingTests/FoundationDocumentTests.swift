import FiefCopying
import Foundation
import Testing

@Suite struct FoundationDocumentTests {
  @Test func plainValuesOfATreeMakeAnEqualTree() throws {
    let tree = try DocumentTree(foundationObject: ["a": [1, 2.5, NSNull()], "b": ["c": true]] as [String: Any])
    let plain = try #require(tree.foundationObject as? [String: Any])
    #expect((plain["a"] as? [Any])?.count == 3 && (plain["b"] as? [String: Any])?["c"] as? Bool == true)
    #expect(try DocumentTree(foundationObject: plain) == tree)
  }

  @Test func aValueThatJSONDoesNotHaveIsRefusedByItsPath() {
    let error = #expect(throws: CopyError.self) { _ = try DocumentTree(foundationObject: ["a": [1, Data([1, 2])]]) }
    #expect(error?.code == .invalidValue)
    #expect(error?.message.contains("2 bytes of data") == true && error?.message.contains("at '.a[1]'") == true)
  }

  @Test func aContainerInsideItselfIsACycle() {
    let array = NSMutableArray()
    array.add(array)
    defer { array.removeAllObjects() }
    let error = #expect(throws: CopyError.self) { _ = try DocumentTree(foundationObject: ["a": array]) }
    #expect(error?.code == .cycle)
  }

  @Test func tooManyLevelsAreRefused() {
    var value: Any = 1
    for _ in 0...DocumentTree.deepest { value = [value] }
    let error = #expect(throws: CopyError.self) { _ = try DocumentTree(foundationObject: value) }
    #expect(error?.code == .invalidValue)
  }
}
