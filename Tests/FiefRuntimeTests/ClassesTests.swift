import FiefRuntime
import Testing

// Visible to other modules, so the optimizer keeps their methods.

package class Beast {
  package func sound() -> String { "" }
  package func name() -> String { "animal" }
  package func legs() -> Int { 4 }
}

package class Hound: Beast {
  package override func name() -> String { "dog" }
}

package class Whelp: Hound {
  package override func sound() -> String { "yip" }
}

package class PlainBeast: Beast {
  package override func name() -> String { "plain" }
}

package class LoudBeast: Beast {
  package override func name() -> String { "loud" }
  package override func sound() -> String { "loud" }
}

private class GenericBeast<Value>: Beast {}
private final class ConcreteBeast: GenericBeast<Int> {}

@Suite struct ClassDiscoveryTests {
  @Test func everySubclassIsFoundAtAnyDistanceAndNoGenericOne() throws {
    let discovery = ClassDiscovery(base: Beast.self)
    guard ClassDiscovery.isAvailable else {
      #expect(discovery.subclasses() == nil)
      return
    }
    let found = Set(try #require(discovery.subclasses()).map { ObjectIdentifier($0) })
    let expected: [AnyClass] = [Hound.self, Whelp.self, PlainBeast.self, LoudBeast.self, ConcreteBeast.self]
    #expect(found == Set(expected.map { ObjectIdentifier($0) }))
    #expect(discovery.subclasses()?.count == expected.count)
  }
}

@Suite struct ClassTableTests {
  private final class Value: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  @Test func theFirstValueOfAClassStays() {
    let table = ClassTable<Value>()
    #expect(table.find(Hound.self) == nil)
    let first = table.insert(Value(1), for: Hound.self)
    #expect(first.counted.number == 1)
    #expect(table.insert(Value(2), for: Hound.self).counted.number == 1)
    #expect(table.find(Hound.self)?.counted.number == 1)
    #expect(table.find(Whelp.self) == nil)
  }

  /// Some two thousand classes, so that the table grows while others read it.
  @Test func readersFindEveryClassWhileTheTableGrows() async throws {
    func classes<T>(_ type: T.Type, _ depth: Int) -> [AnyClass] {
      depth == 0 ? [Leaf<T>.self] : classes(Left<T>.self, depth - 1) + classes(Right<T>.self, depth - 1)
    }
    let all = classes(Int.self, 11)
    let boxes = all.map { UncheckedBox($0) }
    #expect(all.count == 2048)
    let table = ClassTable<Value>()
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<2 {
        group.addTask {
          for (number, type) in boxes.enumerated() { _ = table.insert(Value(number), for: type.value) }
          return true
        }
        group.addTask {
          for _ in 0..<20 {
            for (number, type) in boxes.enumerated() {
              if let found = table.find(type.value), found.counted.number != number { return false }
            }
          }
          return true
        }
      }
      for await isSound in group { #expect(isSound) }
    }
    let numbers = boxes.map { table.find($0.value)?.counted.number }
    #expect(numbers == Array(0..<2048))
  }
}

private final class Leaf<T> {}
private struct Left<T> {}
private struct Right<T> {}
