import FiefTestSupport
import RealmSwift
import Synchronization
import Testing

private enum Mood: String, PersistableEnum {
  case calm, loud
}

private class Song: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var title = ""
  @Persisted var band: String?
  @Persisted var year = 0
  @Persisted var length = 0.0
  @Persisted var mood: Mood
  @Persisted var album: Album?
  @Persisted var plays: List<Int>
  @Persisted var extra: AnyRealmValue
  var initial: String { String(title.prefix(1)) }

  convenience init(_ id: Int, _ title: String, _ year: Int = 0) {
    self.init()
    self.id = id
    self.title = title
    self.year = year
  }
}

private class Album: Object {
  @Persisted var name = ""
  @Persisted var songs: List<Song>
}

private class SongView: Projection<Song> {
  @Projected(\Song.title) var name
  @Projected(\Song.year) var year
}

private func store(_ songs: [Song] = []) throws -> Realm {
  let realm = try Realm(configuration: .inMemory(objectTypes: [Song.self, Album.self]))
  try realm.write { realm.add(songs) }
  return realm
}

private class Marks: Object {
  @Persisted var flags: List<Bool>
  @Persisted var ids: List<ObjectId?>
  @Persisted var uuids: MutableSet<UUID>
}

/// A key that no property could have.
private struct Decade: Hashable {
  let start: Int
}

/// Sections in a comparable form.
private func told<Key, Element, Value>(
  _ sections: SectionedResults<Key, Element>, _ value: (Element) -> Value
) -> [String] { sections.map { "\($0.key): \($0.map(value))" } }

@Suite struct SectioningTests {
  private let songs: [Song] = [
    Song(1, "Bell", 1975), Song(2, "Arrow", 1982), Song(3, "Boat", 1975), Song(4, "Cave", 1991), Song(5, "Ash", 1982),
  ]

  @Test func everyHashableKeyMakesSections() throws {
    let all = try store(songs).objects(Song.self)
    let decades = all.sectioned(by: { Decade(start: $0.year / 10 * 10) }, sortDescriptors: ["year"])
    #expect(decades.allKeys == [Decade(start: 1970), Decade(start: 1980), Decade(start: 1990)])
    #expect(decades[1].map(\.id) == [2, 5] && decades.freeze()[2].key == Decade(start: 1990))
    try all.realm?.write { all[0].plays.append(objectsIn: [3, 8, 5, 12]) }
    let plays = all[0].plays.sectioned(by: { Decade(start: $0 / 10 * 10) }, ascending: false)
    #expect(plays.allKeys == [Decade(start: 10), Decade(start: 0)] && Array(plays[1]) == [8, 5, 3])
    let initials = all.sectioned(by: { $0.title.prefix(1) }, sortDescriptors: ["title"])
    #expect(initials.allKeys == ["A", "B", "C"])
  }

  @Test func collectionsOfBooleansAndIdentifiersHaveSections() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Marks.self]))
    let (marks, id, uuid) = (Marks(), ObjectId.generate(), UUID())
    marks.flags.append(objectsIn: [true, false, true])
    marks.ids.append(objectsIn: [id, nil, id])
    marks.uuids.insert(uuid)
    try realm.write { realm.add(marks) }
    #expect(told(marks.flags.sectioned(by: { $0 }), \.self) == ["false: [false]", "true: [true, true]"])
    #expect(marks.flags.sectioned(by: { $0 }, ascending: false).allKeys == [true, false])
    #expect(marks.ids.sectioned(by: { $0 }).allKeys == [nil, id])
    #expect(marks.uuids.sectioned(by: { $0 }).allKeys == [uuid])
  }

  @Test func aKeyPathSortsAndMakesOneSectionForEachOfItsValues() throws {
    let all = try store(songs).objects(Song.self)
    let sections = all.sectioned(by: \.year)
    #expect(sections.allKeys == [1975, 1982, 1991])
    #expect(told(sections, \.id) == ["1975: [1, 3]", "1982: [2, 5]", "1991: [4]"])
    #expect(all.sectioned(by: \.year, ascending: false).allKeys == [1991, 1982, 1975])
    #expect(sections.count == 3)
    #expect(sections[1].count == 2)
    #expect(sections[1].key == 1982 && sections[1].id == 1982)
    #expect(sections[1][1].title == "Ash")
    #expect(sections[IndexPath(indexes: [2, 0])].title == "Cave")
    #expect(sections.first?.last?.id == 3)
  }

  @Test func furtherDescriptorsOrderTheElementsOfASection() throws {
    let all = try store(songs).objects(Song.self)
    let sections = all.sectioned(by: \.year, sortDescriptors: [SortDescriptor(keyPath: \Song.year), "title"])
    #expect(told(sections, \.title) == [#"1975: ["Bell", "Boat"]"#, #"1982: ["Arrow", "Ash"]"#, #"1991: ["Cave"]"#])
  }

  @Test func keysMayBeOptionalEnumsAnyValuesAndBehindLinks() throws {
    let realm = try store(songs)
    let all = realm.objects(Song.self)
    try realm.write {
      all[1].band = "The Bats"
      all[2].mood = .loud
      all[3].album = realm.create(Album.self, value: ["name": "Deep"])
      all[4].extra = .string("x")
    }
    #expect(told(all.sectioned(by: \.band), \.id) == ["nil: [1, 3, 4, 5]", #"Optional("The Bats"): [2]"#])
    #expect(told(all.sectioned(by: \.mood), \.id) == ["calm: [1, 2, 4, 5]", "loud: [3]"])
    #expect(all.sectioned(by: \.extra).allKeys == [.none, .string("x")])
    let byAlbum = all.sectioned(by: { $0.album?.name ?? "?" }, sortDescriptors: ["album.name"])
    // Without an album there is no name, not even null: such songs stand last.
    #expect(told(byAlbum, \.id) == ["Deep: [4]", "?: [1, 2, 3, 5]"])
    #expect(all.sectioned(by: \.album?.name).allKeys == ["Deep", nil])
  }

  @Test func aBlockMakesSectionsInTheOrderOfTheirFirstElements() throws {
    let all = try store(songs).objects(Song.self)
    let byDecade = all.sectioned(by: { $0.year / 10 }, sortDescriptors: ["title"])
    #expect(told(byDecade, \.title) == [#"198: ["Arrow", "Ash"]"#, #"197: ["Bell", "Boat"]"#, #"199: ["Cave"]"#])
    let byParity = all.sectioned(sortDescriptors: ["id"]) { $0.id % 2 == 0 }
    // Elements with equal keys share a section, although other elements are between them.
    #expect(told(byParity, \.id) == ["false: [1, 3, 5]", "true: [2, 4]"])
  }

  @Test func aComputedPropertyThatReadsOnePropertyIsSortedByIt() throws {
    let all = try store(songs).objects(Song.self)
    let sections = all.sectioned(by: \.initial)
    #expect(told(sections, \.id) == ["A: [2, 5]", "B: [1, 3]", "C: [4]"])
    #expect(all.sectioned(by: \.initial, sortDescriptors: ["title", "id"]).allKeys == ["A", "B", "C"])
  }

  @Test func elementsThatAreNoObjectsAreSortedByThemselves() throws {
    let realm = try store(songs)
    let song = realm.objects(Song.self)[0]
    try realm.write { song.plays.append(objectsIn: [130, 7, 99, 101, 7]) }
    let sections = song.plays.sectioned(by: { $0 > 100 ? "often" : "seldom" })
    #expect(told(sections) { $0 } == ["seldom: [7, 7, 99]", "often: [101, 130]"])
    #expect(song.plays.sectioned(by: { $0 > 100 }, ascending: false).allKeys == [true, false])
  }

  @Test func listsViewsAndErasedCollectionsHaveSections() throws {
    let realm = try store(songs)
    let album = try realm.write {
      let album = realm.create(Album.self)
      album.songs.append(objectsIn: [realm.objects(Song.self)[4], realm.objects(Song.self)[0]])
      album.songs.append(realm.objects(Song.self)[4])
      return album
    }
    #expect(told(album.songs.sectioned(by: \.year), \.id) == ["1975: [1]", "1982: [5, 5]"])
    #expect(AnyRealmCollection(album.songs).sectioned(by: \.title).allKeys == ["Ash", "Bell"])
    let late = realm.objects(Song.self).where { $0.year > 1980 }
    #expect(late.sectioned(by: \.year).allKeys == [1982, 1991])
    #expect(late.limit(1).sectioned(by: \.year).allKeys == [1982])
  }

  @Test func projectionsHaveSectionsByWhatTheyShow() throws {
    let views = try store(songs).objects(SongView.self)
    #expect(told(views.sectioned(by: \.year), \.name).first == #"1975: ["Bell", "Boat"]"#)
    #expect(views.sectioned(by: \.year, sortDescriptors: ["year", "title"]).allKeys == [1975, 1982, 1991])
    let byInitial = views.sectioned(by: { String($0.name.prefix(1)) }, sortDescriptors: ["title"])
    #expect(byInitial.allKeys == ["A", "B", "C"])
    #expect(byInitial[0][0].name == "Arrow")
  }

  @Test func valuesThatDifferFromThemselvesShareASection() throws {
    let realm = try store([Song(1, "a"), Song(2, "b"), Song(3, "c")])
    let all = realm.objects(Song.self)
    try realm.write { for song in all where song.id != 2 { song.length = .nan } }
    let sections = all.sectioned(by: \.length)
    #expect(sections.map { $0.map(\.id) } == [[1, 3], [2]])
    #expect(!sections[0].isInvalidated)
  }

  @Test func sectionsAreLiveAlsoInsideAWrite() throws {
    let realm = try store(songs)
    let sections = realm.objects(Song.self).sectioned(by: \.year)
    let seventies = sections[0]
    realm.beginWrite()
    realm.add(Song(6, "Dune", 1960))
    #expect(sections.allKeys == [1960, 1975, 1982, 1991])
    #expect(seventies.map(\.id) == [1, 3])
    // A loop iterates over the sections that existed when it began.
    var seen: [Int] = []
    for section in sections {
      for song in section {
        seen.append(song.id)
        if song.year == 1975 { song.year = 2000 }
      }
    }
    #expect(seen == [6, 1, 3, 2, 5, 4])
    #expect(seventies.isInvalidated)
    #expect(sections.allKeys == [1960, 1982, 1991, 2000])
    realm.cancelWrite()
    #expect(sections.allKeys == [1975, 1982, 1991])
    #expect(!seventies.isInvalidated)
  }

  @Test func aSectionVanishesWithItsLastElementAndComesBackWithItsKey() throws {
    let realm = try store(songs)
    let all = realm.objects(Song.self)
    let sections = all.sectioned(by: \.year)
    let nineties = sections[2]
    try realm.write { all[3].year = 1992 }
    #expect(nineties.isInvalidated)
    #expect(nineties.key == 1991)
    #expect(!sections.isInvalidated)
    try realm.write { all[0].year = 1991 }
    #expect(!nineties.isInvalidated)
    #expect(nineties.map(\.id) == [1])
  }

  @Test func frozenSectionsStayAsTheyWereAndMayBeReadAnywhere() async throws {
    let realm = try store(songs)
    let all = realm.objects(Song.self)
    let sections = all.sectioned(by: \.year)
    let frozen = sections.freeze()
    let section = sections[2].freeze()
    #expect(frozen.isFrozen && section.isFrozen && frozen[0].isFrozen && frozen[0][0].isFrozen)
    #expect(frozen.freeze() == frozen)
    try realm.write {
      all[3].year = 1970
      all[1].title = "Z"
    }
    #expect(frozen.allKeys == [1975, 1982, 1991])
    #expect(frozen[1][0].title == "Arrow")
    #expect(section.map(\.id) == [4])
    #expect(frozen.thaw()?.allKeys == [1970, 1975, 1982])
    #expect(section.thaw() == nil)
    #expect(frozen[0].thaw()?.count == 2)
    let box = Carried(frozen)
    await withTaskGroup(of: [Int].self) { group in
      for _ in 0..<4 { group.addTask { box.value.map(\.count) } }
      for await counts in group { #expect(counts == [2, 2, 1]) }
    }
  }

  @Test func sectionsAreEqualWhenTheyAreTheSame() throws {
    let all = try store(songs).objects(Song.self)
    let sections = all.sectioned(by: \.year)
    let same = sections
    #expect(sections == same)
    #expect(sections != all.sectioned(by: \.year))
    #expect(sections[0] == same[0])
    #expect(sections[0] != sections[1])
    #expect(sections.realm == all.realm && sections[0].realm == all.realm)
  }

  @Test func sectionsOfAListGoWithItsObject() throws {
    let realm = try store(songs)
    let album = try realm.write { realm.create(Album.self, value: ["songs": Array(realm.objects(Song.self))]) }
    let sections = album.songs.sectioned(by: \.year)
    let first = sections[0]
    try realm.write { realm.delete(album) }
    #expect(sections.isInvalidated && first.isInvalidated)
    #expect(sections.isEmpty)
  }

  @Test(arguments: Seeds.all) func sectionsAreWhatSortingAndGroupingGive(seed: Seed) throws {
    var random = seed.random
    let realm = try store()
    let all = realm.objects(Song.self)
    let sections = all.sectioned(by: { $0.year % 7 }, sortDescriptors: ["title", SortDescriptor(keyPath: "length")])
    for round in 0..<12 {
      try realm.write {
        for _ in 0..<random.below(20) {
          let song = Song(random.below(60), ["a", "b", "c"][random.below(3)], random.below(30))
          song.length = Double(random.below(3))
          realm.add(song, update: .modified)
        }
        for song in Array(all) where random.below(9) == 0 { realm.delete(song) }
      }
      var keys: [Int] = []
      var groups: [Int: [Int]] = [:]
      // Equal songs come in the order of their making, as all songs do.
      for (_, song) in all.enumerated().sorted(by: {
        ($0.element.title, $0.element.length, $0.offset) < ($1.element.title, $1.element.length, $1.offset)
      }) {
        if groups[song.year % 7] == nil { keys.append(song.year % 7) }
        groups[song.year % 7, default: []].append(song.id)
      }
      #expect(sections.allKeys == keys, "round \(round)")
      #expect(sections.map { $0.map(\.id) } == keys.map { groups[$0] }, "round \(round)")
      #expect(sections.freeze().map { $0.map(\.id) } == keys.map { groups[$0] }, "round \(round)")
    }
  }
}

private struct Carried<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

@Suite struct SectionMisuseTests {
  @Test func anOrderThatDoesNotBeginWithTheKeyTraps() async {
    let otherOrder = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try store([Song(1, "a")]).objects(Song.self).sectioned(by: \.year, sortDescriptors: ["title"])
    }
    expectSentence("need an order that begins with it; this one begins with 'title'", of: otherOrder)
    let noOrder = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try store([Song(1, "a")]).objects(Song.self).sectioned(by: \.year, sortDescriptors: [])
    }
    expectSentence("need an order that begins with it: give its sort descriptor first", of: noOrder)
    let byBlock = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try store([Song(1, "a")]).objects(Song.self).sectioned(by: { $0.year }, sortDescriptors: [])
    }
    expectSentence("Sections need an order that brings elements of one section together", of: byBlock)
  }

  @Test func objectsAndCollectionsAreNoKeys() async {
    let objects = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try store([Song(1, "a")]).objects(Song.self).sectioned(by: { $0.album }, sortDescriptors: ["id"])
    }
    expectSentence("Values of type 'Optional<Album>' cannot be keys of sections", of: objects)
    let collections = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try store([Song(1, "a")]).objects(Song.self).sectioned(by: { $0.plays }, sortDescriptors: ["id"])
    }
    expectSentence("Values of type 'List<Int>' cannot be keys of sections", of: collections)
    let anyValues = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let all = try store([Song(1, "a")]).objects(Song.self)
      _ = all.sectioned(by: { AnyRealmValue.object($0) }, sortDescriptors: ["id"]).allKeys
    }
    expectSentence("cannot be the key of a section", of: anyValues)
  }

  @Test func aVanishedSectionTrapsWhenItIsRead() async {
    let count = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try store([Song(1, "a", 1975)])
      let section = realm.objects(Song.self).sectioned(by: \.year)[0]
      try realm.write { realm.deleteAll() }
      _ = section.count
    }
    expectSentence("The section with the key '1975' has been invalidated", of: count)
    let element = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try store([Song(1, "a", 1975)])
      let section = realm.objects(Song.self).sectioned(by: \.year)[0]
      try realm.write { realm.deleteAll() }
      _ = section[0]
    }
    expectSentence("The section with the key '1975' has been invalidated", of: element)
  }

  @Test func positionsAreChecked() async {
    let section = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try store([Song(1, "a", 1975)]).objects(Song.self).sectioned(by: \.year)[1]
    }
    expectSentence("Index 1 is out of bounds of a collection of 1 elements", of: section)
    let element = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try store([Song(1, "a", 1975)]).objects(Song.self).sectioned(by: \.year)[0][1]
    }
    expectSentence("Index 1 is out of bounds of a collection of 1 elements", of: element)
    let path = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try store([Song(1, "a", 1975)]).objects(Song.self).sectioned(by: \.year)[IndexPath(index: 0)]
    }
    expectSentence("An index path into sections has two numbers", of: path)
  }

  @Test func unmanagedCollectionsHaveNoSections() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = List<Song>().sectioned(by: \.year)
    }
    expectSentence("A query is only available for managed objects and collections", of: result)
  }

  @Test func frozenSectionsCannotBeObserved() async {
    let frozen = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await MainActor.run {
        _ = try store([Song(1, "a")]).objects(Song.self).sectioned(by: \.year).freeze().observe { _ in }
      }
    }
    expectSentence("A collection that is frozen cannot be observed", of: frozen)
    let vanished = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await MainActor.run {
        let realm = try store([Song(1, "a", 1975)])
        let section = realm.objects(Song.self).sectioned(by: \.year)[0]
        try realm.write { realm.deleteAll() }
        _ = section.observe { _ in }
      }
    }
    expectSentence("A collection that has been deleted or invalidated cannot be observed", of: vanished)
    let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try await MainActor.run {
        _ = try store([Song(1, "a")]).objects(Song.self).sectioned(by: \.year).observe(keyPaths: ["nothing"]) { _ in }
      }
    }
    expectSentence("Invalid property name 'nothing' in key path 'nothing'", of: unknown)
  }
}
