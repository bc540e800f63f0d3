import FiefTestSupport
import RealmSwift
import Testing

private class Home: EmbeddedObject {
  @Persisted var city: String
}

private class Friend: Object {
  @Persisted var nick: String
}

private class Member: Object {
  @Persisted var first: String
  @Persisted var home: Home?
  @Persisted var friends: List<Friend>
  @Persisted var numbers: List<Int>
}

private class MemberView: Projection<Member> {
  @Projected(\Member.first) var name
  @Projected(\Member.home?.city) var city
  @Projected(\Member.numbers) var numbers
  @Projected(\Member.friends.projectTo.nick) var nicks: ProjectedCollection<String>
}

@Suite struct ProjectionTests {
  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Home.self, Friend.self, Member.self]))
  }

  private func member() -> Member {
    Member(value: [
      "first": "Ann", "home": ["city": "Oslo"], "friends": [["nick": "Bo"], ["nick": "Cy"]], "numbers": [1, 2],
    ])
  }

  @Test func aProjectionShowsItsRootManagedOrNot() throws {
    let member = member()
    let view = MemberView(projecting: member)
    #expect(view.name == "Ann" && view.city == "Oslo" && Array(view.nicks) == ["Bo", "Cy"])
    let realm = try realm()
    try realm.write { realm.add(member) }
    #expect(view.realm == realm)
    #expect(view.name == "Ann" && view.city == "Oslo" && Array(view.numbers) == [1, 2])
  }

  @Test func aDescriptionShowsThePropertiesWithTheirPaths() throws {
    let realm = try realm()
    let member = member()
    let view = MemberView(projecting: member)
    let expected = """
      MemberView<Member> {
      \tname(\\.first) = Ann;
      \tcity(\\.home.city) = Oslo;
      \tnumbers(\\.numbers) = List<int> (
      \t\t[0] 1,
      \t\t[1] 2
      \t);
      \tnicks(\\.friends.nick) = ProjectedCollection<String> {
      \t\t[0] Bo
      \t\t[1] Cy
      \t};
      }
      """
    #expect(withoutAddresses(view) == expected)
    try realm.write { realm.add(member) }
    #expect(withoutAddresses(view) == expected && view.description.contains(/^MemberView<Member> <0x[0-9a-f]+> \{/))
    #expect(view.nicks.description == "ProjectedCollection<String> {\n\t[0] Bo\n\t[1] Cy\n}")
    let frozen = view.nicks
    try realm.write {
      member.home = nil
      realm.delete(member.friends)
    }
    #expect(
      view.description.contains("city(\\.home.city) = (null);")
        && frozen.description == "ProjectedCollection<String> {\n}")
    try realm.write { realm.delete(member) }
    #expect(view.description == "[invalid object]" && frozen.description == "[invalid ProjectedCollection<String>]")
  }

  @Test func assignmentsReachTheRootObject() throws {
    let realm = try realm()
    let member = member()
    try realm.write { realm.add(member) }
    let view = MemberView(projecting: member)
    try realm.write { view.name = "Eve" }
    #expect(member.first == "Eve")
  }

  @Test func resultsOfProjectionsShowEveryObject() throws {
    let realm = try realm()
    try realm.write { realm.add([member(), member()]) }
    let views = realm.objects(MemberView.self)
    #expect(views.count == 2)
    #expect(views.map(\.name) == ["Ann", "Ann"])
    #expect(views[1].city == "Oslo" && views.first?.name == "Ann")
  }

  @Test func namesByWhichResultsAreReadAndSetAreThoseOfTheRoots() throws {
    let realm = try realm()
    try realm.write { realm.add([member(), member()]) }
    let views = realm.objects(MemberView.self)
    #expect(views.value(forKey: "first") as? [String] == ["Ann", "Ann"])
    #expect(views.value(forKeyPath: "home.city") as? [String] == ["Oslo", "Oslo"])
    #expect(views.value(forKeyPath: "@max.first") as? String == "Ann")
    try realm.write {
      views.setValue("Bo", forKey: "first")
      views.setValue("Rome", forKeyPath: "home.city")
    }
    #expect(views.map(\.name) == ["Bo", "Bo"] && views.map(\.city) == ["Rome", "Rome"])
  }

  @Test func projectionsOfOneRowAreEqual() throws {
    let realm = try realm()
    let member = member()
    try realm.write { realm.add(member) }
    let other = try #require(realm.objects(Member.self).first)
    #expect(MemberView(projecting: member) == MemberView(projecting: other))
    #expect(Set([MemberView(projecting: member), MemberView(projecting: other)]).count == 1)
    #expect(MemberView(projecting: member) != MemberView(projecting: self.member()))
  }

  @Test func aFrozenProjectionKeepsWhatItShows() throws {
    let realm = try realm()
    let member = member()
    try realm.write { realm.add(member) }
    let frozen = MemberView(projecting: member).freeze()
    try realm.write { member.first = "Eve" }
    #expect(frozen.isFrozen && frozen.name == "Ann")
    #expect(frozen.thaw()?.name == "Eve")
    try realm.write { realm.delete(member) }
    #expect(frozen.thaw() == nil && frozen.name == "Ann")
  }

  @Test func namesAreThoseOfTheRootsProperties() {
    #expect(_name(for: \MemberView.name) == "first")
    #expect(_name(for: \MemberView.city) == "home.city")
  }

  @Test func assigningThroughAKeyPathThatCanOnlyBeReadTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let view = MemberView(projecting: Member(value: ["home": ["city": "Oslo"]]))
      view.nicks = view.nicks
    }
    expectSentence("was assigned whose key path can only be read", of: result)
  }
}
