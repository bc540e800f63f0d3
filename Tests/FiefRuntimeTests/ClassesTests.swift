import FiefRuntime
import Testing

private class Animal {
  func sound() -> String { "" }
  func name() -> String { "animal" }
  func legs() -> Int { 4 }
}

private class Dog: Animal {
  override func name() -> String { "dog" }
}

private class Puppy: Dog {
  override func sound() -> String { "yip" }
}

private class Plain: Animal {
  override func name() -> String { "plain" }
}

private class Loud: Animal {
  override func name() -> String { "loud" }
  override func sound() -> String { "loud" }
}

private class GenericAnimal<Value>: Animal {}
private final class ConcreteAnimal: GenericAnimal<Int> {}

@Suite struct MethodOverridesTests {
  @Test func onlyOverridesOfTheMethodsInQuestionCount() {
    let overrides = MethodOverrides(base: Animal.self, plain: Plain.self, overriding: Loud.self, count: 1)
    guard MethodOverrides.isAvailable else {
      #expect(overrides.offsets == nil && overrides.exist(in: Dog.self))
      return
    }
    #expect(overrides.offsets?.count == 1)
    #expect(!overrides.exist(in: Animal.self) && !overrides.exist(in: Dog.self))
    #expect(overrides.exist(in: Puppy.self) && overrides.exist(in: Loud.self))
  }

  @Test func everyClassCountsAsOverridingWhereTheMethodsAreNotFound() {
    let overrides = MethodOverrides(base: Animal.self, plain: Plain.self, overriding: Loud.self, count: 2)
    #expect(overrides.offsets == nil)
    #expect(overrides.exist(in: Animal.self) && overrides.exist(in: Dog.self))
  }
}

@Suite struct ClassDiscoveryTests {
  @Test func everySubclassIsFoundAtAnyDistanceAndNoGenericOne() throws {
    let discovery = ClassDiscovery(base: Animal.self)
    guard ClassDiscovery.isAvailable else {
      #expect(discovery.subclasses() == nil)
      return
    }
    let found = Set(try #require(discovery.subclasses()).map { ObjectIdentifier($0) })
    let expected: [AnyClass] = [Dog.self, Puppy.self, Plain.self, Loud.self, ConcreteAnimal.self]
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
    #expect(table.find(Dog.self) == nil)
    let first = table.insert(Value(1), for: Dog.self)
    #expect(first.takeUnretainedValue().number == 1)
    #expect(table.insert(Value(2), for: Dog.self).takeUnretainedValue().number == 1)
    #expect(table.find(Dog.self)?.takeUnretainedValue().number == 1)
    #expect(table.find(Puppy.self) == nil)
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
              if let found = table.find(type.value), found.takeUnretainedValue().number != number { return false }
            }
          }
          return true
        }
      }
      for await isSound in group { #expect(isSound) }
    }
    let numbers = boxes.map { table.find($0.value)?.takeUnretainedValue().number }
    #expect(numbers == Array(0..<2048))
  }
}

private final class Leaf<T> {}
private struct Left<T> {}
private struct Right<T> {}
