import FiefTestSupport
import RealmSwift
import Synchronization
import Testing

private class Player: Object {
  @Persisted var name = ""
  @Persisted(originProperty: "captain") var captainOf: LinkingObjects<Team>
  @Persisted(originProperty: "players") var teams: LinkingObjects<Team>
}

private class Team: Object {
  @Persisted var title = ""
  @Persisted var captain: Player?
  @Persisted var players: List<Player>
}

private class OlderPlayer: Object {
  @Persisted var name = ""
  let teams = LinkingObjects(fromType: OlderTeam.self, property: "star")
}

private class OlderTeam: Object {
  @Persisted var star: OlderPlayer?
}

private class Trophy: Object {
  @Persisted(originProperty: "content") var shelves: LinkingObjects<Shelf>
}

private class Shelf: Object {
  @Persisted var content: AnyRealmValue
}

@Suite struct LinkingObjectsTests {
  private func open() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Player.self, Team.self, OlderPlayer.self, OlderTeam.self]))
  }

  @Test func severalThreadsMakeTheViewOfFrozenLinks() throws {
    let realm = try open()
    let player = OlderPlayer()
    try realm.write {
      for _ in 0..<3 { realm.add(OlderTeam(value: ["star": player])) }
    }
    for _ in 0..<50 {
      // One handle for all threads: a field without a wrapper.
      let teams = Held(player.freeze().teams)
      let wrong = Atomic<Int>(0)
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        let isRight = thread.isMultiple(of: 2) ? teams.value.count == 3 : Array(teams.value).count == 3
        if !isRight || teams.value[2].star == nil { wrong.add(1, ordering: .relaxed) }
      }
      #expect(wrong.load(ordering: .relaxed) == 0)
    }
  }

  @Test func everyLinkIsOneEntry() throws {
    let realm = try open()
    let (player, other, team) = (Player(), Player(), Team())
    team.title = "Reds"
    team.captain = player
    team.players.append(objectsIn: [player, other, player])
    #expect(player.teams.count == 0)
    #expect(player.teams.first == nil)
    #expect(player.teams.realm == nil)
    try realm.write { realm.add(team) }
    #expect(player.teams.map(\.title) == ["Reds", "Reds"])
    #expect(player.captainOf.count == 1)
    #expect(other.teams.count == 1)
    #expect(player.teams.index(of: team) == 0)
    #expect(other.captainOf.isEmpty)
    let teams = player.teams
    realm.beginWrite()
    team.players.remove(at: 0)
    #expect(teams.count == 1)
    team.captain = nil
    #expect(player.captainOf.isEmpty)
    realm.delete(team)
    #expect(teams.isEmpty)
    realm.cancelWrite()
    #expect(teams.count == 2)
  }

  /// As in the original, so that code of a model class need not ask whether its object was added.
  @Test func queriesOfAnUnmanagedObjectsFindNothing() throws {
    let realm = try open()
    let team = Team()
    try realm.write { realm.add(team) }
    let (player, older) = (Player(), OlderPlayer())
    #expect(player.teams.filter("title == %@ AND captain.name == 'Ann'", "Reds").isEmpty)
    #expect(player.teams.filter("self == %@", team).first == nil)
    #expect(player.teams.where { $0.title == "Reds" }.count == 0)
    #expect(player.teams.where { $0.captain == nil && $0.title != "" }.last == nil)
    #expect(player.teams.filter(NSPredicate(format: "title == 'Reds'")).count == 0)
    #expect(player.teams.filter(NSPredicate { _, _ in true }).count == 0)
    #expect(player.teams.filter(#Predicate<Team> { $0.title.count > 1 }).count == 0)
    #expect(player.teams.sorted(byKeyPath: "title").map(\.title) == [])
    #expect(player.teams.sorted(by: \.title).distinct(by: ["title"]).limit(3).where { $0.title != "" }.isEmpty)
    #expect(player.teams.grouped(by: \.title).isEmpty && player.teams.sectioned(by: \.title).count == 0)
    #expect(player.teams.first(where: { $0.title == "Reds" }) == nil)
    #expect(older.teams.filter("star != nil").count == 0)
    let teams = player.teams.sorted(byKeyPath: "title")
    #expect(teams.realm == nil && !teams.isInvalidated && !teams.isFrozen && teams.index(of: team) == nil)
    #expect(player.teams.sectioned(by: \.title).realm == nil)
    let (greatest, titles): (Int?, Any?) = (teams.max(ofProperty: "size"), teams.value(forKey: "title"))
    #expect(greatest == nil && (titles as? [Any])?.isEmpty == true)
    try realm.write {
      realm.add(player)
      team.players.append(player)
    }
    #expect(teams.isEmpty && player.teams.sorted(byKeyPath: "title").count == 1)
  }

  @Test func observingThoseOfAnUnmanagedObjectTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Player().teams.sorted(byKeyPath: "title").observe { _ in }
    }
    expectSentence("observe() is only available for managed objects and collections", of: result)
  }

  @Test func linkingObjectsFollowEveryChangeOfTheList() throws {
    let realm = try open()
    let (a, b, team) = (Player(), Player(), Team())
    try realm.write {
      realm.add(team)
      realm.add([a, b])
      team.players.append(objectsIn: [a, a, b])
      team.players[0] = b
      #expect(a.teams.count == 1 && b.teams.count == 2)
      team.players.replaceSubrange(1..<3, with: [b, b, b])
      #expect(a.teams.count == 0 && b.teams.count == 4)
      team.players.move(from: 0, to: 3)
      team.players.swapAt(0, 1)
      #expect(b.teams.count == 4)
      team.players.removeAll()
      #expect(b.teams.isEmpty)
    }
  }

  @Test func declaredWithoutAWrapperTheyBecomeLiveWithTheirObject() throws {
    let realm = try open()
    let (player, team) = (OlderPlayer(), OlderTeam())
    team.star = player
    let teams = player.teams
    #expect(teams.count == 0)
    try realm.write { realm.add(team) }
    #expect(teams.count == 1)
    #expect(realm.objects(OlderPlayer.self)[0].teams.count == 1)
  }

  @Test func frozenOnesStay() throws {
    let realm = try open()
    let (player, team) = (Player(), Team())
    team.players.append(player)
    try realm.write { realm.add(team) }
    let frozen = player.teams.freeze()
    try realm.write { team.players.removeAll() }
    #expect(frozen.count == 1)
    #expect(frozen.thaw()?.count == 0)
    try realm.write { realm.delete(player) }
    #expect(frozen.thaw() == nil)
  }

  @Test func theLinkOfAnAnyValueCountsAndThoseInItsCollectionsDoNot() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Trophy.self, Shelf.self]))
    let (trophy, shelf) = try realm.write { (realm.create(Trophy.self), realm.create(Shelf.self)) }
    try realm.write { shelf.content = .object(trophy) }
    #expect(trophy.shelves.count == 1)
    try realm.write { shelf.content = .fromArray([.object(trophy)]) }
    #expect(trophy.shelves.isEmpty)
  }

  @Test func usingThoseOfADeletedObjectTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Player.self, Team.self]))
      let player = Player()
      try realm.write { realm.add(player) }
      let teams = player.teams
      try realm.write { realm.delete(player) }
      if teams.isInvalidated { _ = teams.count }
    }
    expectSentence("LinkingObjects of an object that has been deleted or invalidated", of: result)
  }
}
