import FiefGraph
import Testing

/// The keys of rows, tables and columns.
struct KeysTests {
  @Test func aRowsKeyIsItsChunkAndItsBit() {
    for key in [0, 1, 255, 256, 257, 65_535, 65_536, Int64.max] {
      let key = ObjectKey(key)
      #expect(ObjectKey(chunk: key.chunk, bit: key.bit) == key)
      #expect(key.chunk == key.rawValue / 256 && Int64(key.bit) == key.rawValue % 256)
      #expect(ObjectKey(rawValue: key.rawValue) == key)
    }
  }

  @Test func keysAreOrderedByAge() {
    #expect(ObjectKey(2) < ObjectKey(10) && !(ObjectKey(2) < ObjectKey(2)))
    #expect(TableKey(rawValue: 2) < TableKey(rawValue: 10))
    #expect(ColumnKey(rawValue: 2) < ColumnKey(rawValue: 10))
  }

  @Test func linksAreOrderedByTableThenByAge() {
    func link(_ table: UInt32, _ key: Int64) -> ObjectLink { ObjectLink(TableKey(rawValue: table), ObjectKey(key)) }
    #expect(link(2, 9) < link(3, 0) && link(2, 1) < link(2, 2) && !(link(3, 0) < link(2, 9)))
  }

  @Test func keysSayWhatTheyAre() {
    let cell = Cell(TableKey(rawValue: 2), ObjectKey(3), ColumnKey(rawValue: 4))
    #expect(cell.description == "table 2#3.column 4")
    #expect(cell.object == ObjectLink(TableKey(rawValue: 2), ObjectKey(3)))
    #expect(cell.object.description == "table 2#3")
  }

  @Test func twoTablesAreThoseOfNestedCollections() {
    #expect(TableKey.nestedLists.isNested && TableKey.nestedDictionaries.isNested)
    #expect(!TableKey(rawValue: 2).isNested)
    #expect(Graph.empty.allTables.map(\.schema.key) == [.nestedLists, .nestedDictionaries])
  }
}
