import FiefGraph
import FiefTestSupport
import RealmSwift
import Testing

private class Guardian: Object {
  @Persisted var name = ""
}

private class Box: EmbeddedObject {
  @Persisted(indexed: .unique) var code = ""
  @Persisted(deleteRule: .deny) var warden: Guardian?
  @Persisted(deleteRule: .cascade) var helper: Guardian?

  convenience init(_ code: String, warden: Guardian? = nil, helper: Guardian? = nil) {
    self.init()
    self.code = code
    self.warden = warden
    self.helper = helper
  }
}

private class Shelf: Object {
  @Persisted var boxes: List<Box>
  @Persisted var named: Map<String, Box?>
}

/// Embedded objects that take the places of others, with values that must not repeat.
@Suite struct ReplacedElementsTests {
  private let realm: Realm
  private let shelf = Shelf()

  init() throws {
    realm = try Realm(configuration: .inMemory(objectTypes: [Guardian.self, Box.self, Shelf.self]))
    shelf.boxes.append(objectsIn: ["A", "B", "C"].map { Box($0) })
    for (key, code) in [("x", "X"), ("y", "Y"), ("z", "Z")] { shelf.named[key] = Box(code) }
    try realm.write { realm.add(shelf) }
  }

  private var codes: [String] { shelf.boxes.map(\.code) }
  /// The entries in the order of their keys: `a: A`.
  private var entries: [String] { shelf.named.keys.map { "\($0): \((shelf.named[$0] ?? nil)?.code ?? "none")" } }

  private func list(_ boxes: Box...) -> List<Box> {
    let list = List<Box>()
    list.append(objectsIn: boxes)
    return list
  }

  private func map(_ boxes: KeyValuePairs<String, Box?>) -> Map<String, Box?> {
    let map = Map<String, Box?>()
    for (key, box) in boxes { map[key] = .some(box) }
    return map
  }

  /// Expects that a change is refused at once, and that nothing of it can be seen within its write.
  private func expectRefusal(_ code: Realm.Error.Code? = nil, _ comment: Comment, _ change: () -> Void) throws {
    let (codes, entries, keepers) = (codes, entries, realm.objects(Guardian.self).count)
    let error = #expect(throws: Realm.Error.self, comment) {
      try realm.write {
        change()
        #expect(self.codes == codes && self.entries == entries, comment)
        #expect(realm.objects(Guardian.self).count == keepers, comment)
      }
    }
    if let code { #expect(error?.code == code, comment) }
    #expect(self.codes == codes && self.entries == entries, comment)
    #expect(realm.graph.checkInvariants() == [], comment)
  }

  @Test func anAssignedListMayHaveTheUniqueValuesOfTheOldElements() throws {
    let old = shelf.boxes[0]
    try realm.write { shelf.boxes = list(Box("C"), Box("A"), Box("D")) }
    #expect(codes == ["C", "A", "D"] && old.isInvalidated)
    #expect(realm.graph.checkInvariants() == [])
  }

  @Test func replacedElementsMayHaveTheUniqueValuesOfThoseThatGo() throws {
    try realm.write { shelf.boxes.replaceSubrange(1..<3, with: [Box("C"), Box("D"), Box("B")]) }
    #expect(codes == ["A", "C", "D", "B"])
    try realm.write { shelf.boxes[0..<2] = list(Box("C"), Box("A"))[0..<2] }
    #expect(codes == ["C", "A", "D", "B"])
    // The new elements are computed from those that they replace, while these are still there.
    let boxes = shelf.boxes
    try realm.write { boxes.replaceSubrange(0..<4, with: (0..<4).lazy.map { Box(boxes[3 - $0].code) }) }
    #expect(codes == ["B", "D", "A", "C"])
    #expect(realm.graph.checkInvariants() == [])
  }

  @Test func aUniqueValueMayMoveToAnotherKeyOfAMap() throws {
    try realm.write { shelf.named = map(["a": Box("Y"), "x": Box("Z"), "y": Box("X"), "z": nil]) }
    #expect(entries == ["a: Y", "x: Z", "y: X", "z: none"])
    #expect(realm.graph.checkInvariants() == [])
  }

  @Test func anEmbeddedObjectThatIsAssignedToItsOwnKeyStays() throws {
    let kept = try #require(shelf.named["y"] ?? nil)
    try realm.write { shelf.named = map(["a": Box("X"), "y": kept]) }
    #expect(!kept.isInvalidated && entries == ["a: X", "y: Y"])
    try realm.write { shelf.named = map(["y": kept]) }
    #expect(!kept.isInvalidated && entries == ["y: Y"])
  }

  @Test func aValueThatRepeatsInTheResultIsRefused() throws {
    try expectRefusal(.uniqueConstraint, "among the new") { shelf.boxes = list(Box("A"), Box("A")) }
    try expectRefusal(.uniqueConstraint, "with one that stays") {
      shelf.boxes.replaceSubrange(0..<1, with: [Box("A"), Box("B")])
    }
    try expectRefusal(.uniqueConstraint, "with one of another owner") { shelf.boxes = list(Box("X")) }
    try expectRefusal(.uniqueConstraint, "in a map") { shelf.named = map(["x": Box("Y"), "y": Box("Y")]) }
    try expectRefusal(nil, "an object that has a place") { shelf.boxes = list(shelf.boxes[1], Box("A")) }
  }

  @Test func deleteRulesOfReplacedElementsRefuseTheReplacement() throws {
    let (warden, helper) = (Guardian(), Guardian(value: ["helper"]))
    try realm.write {
      realm.add([warden, helper])
      shelf.boxes.append(Box("denied", warden: warden))
      shelf.named["denied"] = Box("named", warden: warden)
    }
    try expectRefusal(.deleteDenied, "list") { shelf.boxes = list(Box("A", helper: Guardian())) }
    try expectRefusal(.deleteDenied, "range") {
      shelf.boxes.replaceSubrange(2..<4, with: [Box("A", helper: Guardian())])
    }
    try expectRefusal(.deleteDenied, "map") { shelf.named = map(["a": Box("X", helper: Guardian())]) }
    // The old element takes the helper with it, so the new one cannot link to it.
    try realm.write {
      shelf.boxes[3].warden = nil
      shelf.boxes = list(Box("cascading", helper: helper))
    }
    try expectRefusal(nil, "cascade") { shelf.boxes = list(Box("A", helper: helper)) }
    #expect(shelf.boxes[0].helper?.isSameObject(as: helper) == true)
  }
}
