import Foundation
import FiefTestSupport
import RealmSwift
import Testing

private class MovedBox: Object {
  @Persisted var numbers: List<Int>
  @Persisted var owned: List<MovedPart>
}

private class MovedPart: EmbeddedObject {
  @Persisted var number = 0
}

@Suite struct MovingTests {
  /// What the array method of this name does.
  private func moved(_ array: [Int], _ offsets: IndexSet, _ destination: Int) -> [Int] {
    let before = (0..<destination).filter { !offsets.contains($0) }
    let after = (destination..<array.count).filter { !offsets.contains($0) }
    return (before + Array(offsets) + after).map { array[$0] }
  }

  @Test func adjacentElementsKeepTheirOrderWhereverTheyGo() throws {
    let list = List<Int>()
    list.append(objectsIn: [0, 1, 2, 3])
    list.move(fromOffsets: [0, 1], toOffset: 4)
    #expect(Array(list) == [2, 3, 0, 1])
    list.move(fromOffsets: [2, 3], toOffset: 0)
    #expect(Array(list) == [0, 1, 2, 3])
    list.move(fromOffsets: [], toOffset: 2)
    list.move(fromOffsets: [1, 2], toOffset: 2)
    #expect(Array(list) == [0, 1, 2, 3])
  }

  @Test(arguments: Seeds.all) func elementsMoveAsInAnArray(seed: Seed) throws {
    var random = seed.random
    let realm = try Realm(configuration: .inMemory(objectTypes: [MovedBox.self, MovedPart.self]))
    let box = try realm.write { realm.create(MovedBox.self) }
    let unmanaged = List<Int>()
    for _ in 0..<20 {
      let count = random.below(9)
      let array = (0..<count).map { _ in random.below(100) }
      let offsets = IndexSet((0..<count).filter { _ in random.bool() })
      let destination = random.below(count + 1)
      let expected = moved(array, offsets, destination)
      unmanaged.removeAll()
      unmanaged.append(objectsIn: array)
      unmanaged.move(fromOffsets: offsets, toOffset: destination)
      #expect(Array(unmanaged) == expected)
      try realm.write {
        box.numbers.removeAll()
        box.numbers.append(objectsIn: array)
        box.numbers.move(fromOffsets: offsets, toOffset: destination)
        box.owned.removeAll()
        box.owned.append(objectsIn: array.map { MovedPart(value: ["number": $0]) })
        box.owned.move(fromOffsets: offsets, toOffset: destination)
      }
      #expect(Array(box.numbers) == expected)
      #expect(box.owned.map(\.number) == expected)
    }
  }

  @Test func movesOutsideTheListTrap() async {
    let offset = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      List<Int>().move(fromOffsets: [0], toOffset: 0)
    }
    expectSentence("Index 0 is out of bounds of a collection of 0 elements", of: offset)
    let destination = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      List<Int>().move(fromOffsets: [], toOffset: 1)
    }
    expectSentence("Index 1 is out of bounds of a collection of 0 elements", of: destination)
  }
}
