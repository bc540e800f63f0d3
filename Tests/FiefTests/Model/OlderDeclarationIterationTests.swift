import Foundation
import RealmSwift
import Testing

private class Leaf: Object {
  @Persisted var number = 0
  @Persisted var tree: Tree?
}

private class Tree: Object {
  @Persisted var number = 0
  let leaves = List<Leaf>()
  let names = MutableSet<String>()
  let sizes = Map<String, Int>()
  let height = RealmProperty<Int?>()
  let grown = LinkingObjects(fromType: Leaf.self, property: "tree")
  let passing = List<Int>()
  override class func ignoredProperties() -> [String] { ["passing"] }
}

private class Forest: Object {
  @Persisted var trees: List<Tree>
  @Persisted var rare: MutableSet<Tree>
  @Persisted var named: Map<String, Tree?>
}

private class TreeView: Projection<Tree> {
  @Projected(\Tree.number) var number
  @Projected(\Tree.leaves) var leaves
}

/// A class whose only declaration without a wrapper is not persisted.
private class Jar: Object {
  @Persisted var number = 0
  let passing = List<Int>()
  override class func ignoredProperties() -> [String] { ["passing"] }
}

/// Properties without wrappers are bound one by one, so each accessor that a walk returns must be bound to its own row.
@Suite struct OlderDeclarationIterationTests {
  private func forest(_ count: Int = 300) throws -> (Realm, Forest) {
    let realm = try Realm(
      configuration: .inMemory(objectTypes: [Leaf.self, Tree.self, Forest.self, Jar.self]))
    let forest = Forest()
    for number in 0..<count {
      let tree = Tree()
      tree.number = number
      for _ in 0..<(number % 3) { tree.leaves.append(Leaf()) }
      tree.names.insert("\(number)")
      tree.sizes["size"] = number
      tree.height.value = number
      forest.trees.append(tree)
      forest.rare.insert(tree)
      forest.named["\(1000 + number)"] = tree
    }
    try realm.write {
      realm.add(forest)
      for tree in forest.trees {
        let leaf = Leaf()
        leaf.tree = tree
        realm.add(leaf)
      }
    }
    return (realm, forest)
  }

  private func check(_ trees: some Sequence<Tree>, _ expected: [Int]) {
    var numbers: [Int] = []
    for tree in trees {
      let number = tree.number
      numbers.append(number)
      #expect(tree.leaves.count == number % 3)
      #expect(tree.names.contains("\(number)") && tree.names.count == 1)
      #expect(tree.sizes["size"] == number)
      #expect(tree.height.value == number)
      #expect(tree.grown.count == 1 && tree.grown.first?.tree?.number == number)
      #expect(!tree.leaves.isInvalidated && tree.leaves.realm != nil)
    }
    #expect(numbers == expected)
  }

  @Test func collectionsWithoutWrappersAreThoseOfTheObjectOfTheLoop() throws {
    let (realm, forest) = try forest()
    let all = Array(0..<300)
    check(realm.objects(Tree.self), all)
    check(realm.objects(Tree.self).filter("number >= 0"), all)
    check(realm.objects(Tree.self).sorted(byKeyPath: "number", ascending: false), all.reversed())
    check(forest.trees, all)
    check(forest.rare, all)
    check(forest.named.compactMap(\.value), all)
    check(forest.trees.freeze(), all)
    check(realm.objects(Tree.self).freeze(), all)
    check(AnyRealmCollection(forest.trees), all)
    check(realm.objects(Tree.self).limit(7, offset: 3), Array(3..<10))
  }

  @Test func collectionsWithoutWrappersAreThoseOfTheObjectWhereSequencesAreMapped() throws {
    let (realm, _) = try forest(30)
    let trees = realm.objects(Tree.self)
    let expected = (0..<30).map { $0 % 3 }
    #expect(Array(trees.map(\.leaves.count)) == expected)
    #expect(trees.map { $0.leaves }.map(\.count) == expected)
    #expect(Array(trees).map(\.leaves.count) == expected)
    var counts: [Int] = []
    trees.forEach { counts.append($0.leaves.count) }
    #expect(counts == expected)
    let held = Array(trees).map { ($0.leaves, $0.height) }
    #expect(held.map(\.0.count) == expected && held.map(\.1.value) == Array(0..<30))
  }

  @Test func propertiesOfTheObjectOfALoopAreWrittenToItsRow() throws {
    let (realm, forest) = try forest(20)
    try realm.write {
      for tree in realm.objects(Tree.self) {
        tree.leaves.removeAll()
        tree.sizes["double"] = tree.number * 2
        tree.height.value = -tree.number
      }
      for tree in forest.trees { tree.names.insert("more") }
    }
    #expect(realm.objects(Tree.self).map(\.height.value) == (0..<20).map { -$0 })
    #expect(realm.objects(Tree.self).map { $0.sizes["double"] } == (0..<20).map { $0 * 2 })
    #expect(realm.objects(Tree.self).allSatisfy { $0.leaves.isEmpty && $0.names.count == 2 })
  }

  @Test func aLoopThatMovesRowsFindsCollectionsWithoutWrappers() throws {
    let (realm, _) = try forest(600)
    try realm.write {
      for tree in realm.objects(Tree.self) {
        let number = tree.number
        #expect(tree.leaves.count == number % 3)
        if number % 2 == 0 { realm.delete(tree) } else { realm.add(Tree()) }
      }
    }
    #expect(realm.objects(Tree.self).count == 600)
  }

  @Test func projectionsAndSectionsShowCollectionsWithoutWrappers() throws {
    let (realm, _) = try forest(30)
    for view in realm.objects(TreeView.self) { #expect(view.leaves.count == view.number % 3) }
    let sections = realm.objects(Tree.self).sectioned(by: \.number)
    for section in sections {
      for tree in section { #expect(tree.leaves.count == section.key % 3) }
    }
  }

  @Test func collectionsWithoutWrappersOfFrozenObjectsAreReadByManyThreads() async throws {
    let (realm, _) = try forest(60)
    let trees = realm.objects(Tree.self).freeze()
    let all = Array(trees)
    let shared = Shared(all)
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask { shared.trees.reduce(0) { $0 + $1.leaves.count + $1.names.count + $1.sizes.count } }
      }
      for await sum in group { #expect(sum == 60 + 60 + 60) }
    }
  }

  private struct Shared: @unchecked Sendable {
    let trees: [Tree]
    init(_ trees: [Tree]) { self.trees = trees }
  }

  @Test func unpersistedPropertiesBelongToTheLoopsObject() throws {
    let (realm, _) = try forest(1)
    try realm.write { for number in 0..<5 { realm.create(Jar.self, value: [number]) } }
    var counts: [Int] = []
    for jar in realm.objects(Jar.self) {
      counts.append(jar.passing.count)
      jar.passing.append(jar.number)
    }
    #expect(counts == [0, 0, 0, 0, 0])
  }
}
