import RealmSwift
import Testing

private class Sheet: Object {
  @Persisted var cells: List<Cell>
  @Persisted var name = ""
}

private class Cell: Object {
  @Persisted var text = ""
}

@Suite struct KeyPathMemoryTests {
  @Test func keyPathsThatAreMadeWithoutEndAreNotAllKept() {
    weak var first: AnyKeyPath?
    func name(_ number: Int) {
      let keyPath: PartialKeyPath<Sheet> = \Sheet.cells[number].text
      if number == 0 { first = keyPath }
      #expect(_name(for: keyPath) == "cells.text")
    }
    name(0)
    #expect(first != nil)
    for number in 1..<10_000 { name(number) }
    #expect(first == nil)
    #expect(_name(for: \Sheet.name) == "name")
  }
}
