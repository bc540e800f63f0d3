import Foundation
import RealmSwift
import Testing

/// A description without the addresses of collections, which differ between runs.
func withoutAddresses(_ value: any CustomStringConvertible) -> String {
  value.description.replacing(#/ <0x[0-9a-f]+>/#, with: "")
}

private enum Mood: Int, PersistableEnum { case calm = 4, angry }

private struct Email: CustomPersistable {
  var address = ""
  init(address: String) { self.address = address }
  init(persistedValue: String) { address = persistedValue }
  var persistableValue: String { address }
}

private class Part: EmbeddedObject {
  @Persisted var isDone = true
}

private class Whole: Object {
  @Persisted var isOn = true
  @Persisted var whole = 2.0
  @Persisted var half: Float = 0.5
  @Persisted var mood: Mood
  @Persisted var email = Email(address: "a@b")
  @Persisted var missing: Int?
  @Persisted var bytes = Data([1, 0xab])
  @Persisted var part: Part?
  @Persisted var parts: List<Part>
  @Persisted var named: Map<String, Part?>
  @Persisted var moods: List<Mood>
  @Persisted var emails: MutableSet<Email>
  @Persisted var gaps: List<Bool?>
  @Persisted var anys: Map<String, AnyRealmValue>
  @Persisted var any: AnyRealmValue
  @Persisted(originProperty: "whole") var nothing: LinkingObjects<Other>
}

private class Other: Object {
  @Persisted var whole: Whole?
}

private class Node: Object {
  @Persisted var name = ""
  @Persisted var next: Node?
  @Persisted var children: List<Node>
  @Persisted var data: Data
  @Persisted var numbers: List<Int>
  @Persisted var tags: Map<String, Int>
  @Persisted var any: AnyRealmValue
}

private class Renamed: Object {
  @Persisted var next: Renamed?
  @Persisted var all: List<Renamed>
  override class func _realmObjectName() -> String? { "StoredOtherwise" }
}

@Suite struct DescriptionTests {
  private func realm() throws -> Realm { try Realm(configuration: .inMemory(objectTypes: [Node.self])) }

  @Test func managedAndUnmanagedObjectsReadAlike() throws {
    let realm = try realm()
    let node = Node()
    node.name = "root"
    node.next = Node()
    node.numbers.append(7)
    node.tags["a"] = 1
    node.any = .fromArray([.string("x")])
    let text = withoutAddresses(node)
    #expect(text.hasPrefix("Node {\n\tname = root;\n\tnext = Node {\n\t\tname = ;\n"))
    #expect(text.contains("\tnumbers = List<int> (\n\t\t[0] 7\n\t);"))
    #expect(text.contains("[a]: 1") && text.contains("[0] x"))
    try realm.write { realm.add(node) }
    #expect(withoutAddresses(node) == text)
  }

  @Test func valuesReadAsTheyAreStored() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Part.self, Whole.self, Other.self]))
    let whole = Whole()
    whole.part = Part()
    whole.parts.append(Part())
    whole.named["x"] = Part()
    whole.moods.append(.angry)
    whole.emails.insert(Email(address: "c@d"))
    whole.gaps.append(objectsIn: [true, nil])
    whole.anys["k"] = .bool(false)
    whole.any = .fromDictionary(["deep": .fromArray([.double(1)])])
    let expected = """
      Whole {
      \tisOn = 1;
      \twhole = 2;
      \thalf = 0.5;
      \tmood = 4;
      \temail = a@b;
      \tmissing = (null);
      \tbytes = <01ab — 2 total bytes>;
      \tpart = Part {
      \t\tisDone = 1;
      \t};
      \tparts = List<Part> (
      \t\t[0] Part {
      \t\t\tisDone = 1;
      \t\t}
      \t);
      \tnamed = Map<string, Part> (
      \t[x]: Part {
      \t\t\tisDone = 1;
      \t\t}
      \t);
      \tmoods = List<int> (
      \t\t[0] 5
      \t);
      \temails = MutableSet<string> (
      \t\t[0] c@d
      \t);
      \tgaps = List<bool> (
      \t\t[0] 1,
      \t\t[1] <null>
      \t);
      \tanys = Map<string, mixed> (
      \t[k]: 0
      \t);
      \tany = Map<string, mixed> (
      \t[deep]: List<mixed> (
      \t\t\t[0] 1
      \t\t)
      \t);
      }
      """
    #expect(withoutAddresses(whole) == expected)
    try realm.write { realm.add(whole) }
    #expect(withoutAddresses(whole) == expected)
    #expect(withoutAddresses(try #require(realm.dynamicObjects("Whole").first)) == expected)
  }

  @Test func collectionsAreNamedByWhatTheyHold() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Part.self, Whole.self, Other.self]))
    let other = Other(value: ["whole": Whole()])
    try realm.write { realm.add(other) }
    #expect(
      withoutAddresses(realm.objects(Other.self)).hasPrefix("Results<Other> (\n\t[0] Other {\n\t\twhole = Whole {\n"))
    #expect(withoutAddresses(realm.dynamicObjects("Other")).hasPrefix("Results<Other> (\n\t[0] Other {\n"))
    #expect(realm.objects(Other.self).description.contains(/^Results<Other> <0x[0-9a-f]+> \(/))
    let linking = try #require(other.whole?.nothing)
    #expect(withoutAddresses(linking).hasPrefix("LinkingObjects<Other> (\n\t[0] Other {"))
    #expect(withoutAddresses(AnyRealmCollection(linking)).hasPrefix("AnyRealmCollection<Other> (\n\t[0] Other {"))
    #expect(AnyRealmCollection(linking).description.contains(/^AnyRealmCollection<Other> <0x[0-9a-f]+> \(/))
    #expect(withoutAddresses(AnyRealmCollection(List<Int>())) == "AnyRealmCollection<int> (\n\n)")
    #expect(withoutAddresses(other.whole!.dynamicList("parts")) == "List<Part> (\n\n)")
    #expect(withoutAddresses(other.whole!.moods.sorted(ascending: true)) == "Results<int> (\n\n)")
  }

  @Test func aClassWithAnotherStoredNameIsNamedAsInSwift() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Renamed.self]))
    let renamed = Renamed()
    renamed.next = Renamed()
    let text = "Renamed {\n\tnext = Renamed {\n\t\tnext = (null);\n\t\tall = List<Renamed> (\n\t\t\n\t\t);\n\t};\n"
    #expect(withoutAddresses(renamed).hasPrefix(text))
    try realm.write { realm.add(renamed) }
    #expect(withoutAddresses(renamed).hasPrefix(text))
    #expect(withoutAddresses(realm.objects(Renamed.self)).hasPrefix("Results<Renamed> (\n\t[0] Renamed {"))
    #expect(withoutAddresses(renamed.all) == "List<Renamed> (\n\n)")
  }

  @Test func nestingEndsAtFiveLevels() throws {
    let realm = try realm()
    let node = Node()
    node.next = node
    node.children.append(node)
    let unmanaged = node.description
    #expect(unmanaged.contains("<Maximum depth exceeded>") && unmanaged.utf8.count < 1_000_000)
    node.next = nil
    try realm.write { realm.add(node) }
    try realm.write { node.next = node }
    #expect(node.description.contains("<Maximum depth exceeded>"))
    try realm.write { realm.delete(node) }
    #expect(node.description == "[invalid object]")
  }

  @Test func longDataAndCollectionsAreCut() throws {
    let node = Node()
    node.data = Data(repeating: 0xab, count: 30)
    for number in 0..<150 { node.numbers.append(number) }
    let text = node.description
    #expect(text.contains("<" + String(repeating: "ab", count: 24) + " — 30 total bytes>"))
    #expect(text.contains("[99] 99") && !text.contains("[100] 100") && text.contains("50 objects skipped"))
  }

  @Test func anyValuesShowTheirCase() {
    #expect(AnyRealmValue.int(1).description == "int(1)")
    #expect(AnyRealmValue.none.description == "none")
    #expect(AnyRealmValue.fromArray([.int(1)]).description.contains("[0] 1"))
  }
}
