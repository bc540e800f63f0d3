import FiefTestSupport
import RealmSwift
import Testing

private class Spot: EmbeddedObject {
  @Persisted var type: String = "Point"
  @Persisted var coordinates: List<Double>

  convenience init(_ latitude: Double, _ longitude: Double) {
    self.init()
    coordinates.append(objectsIn: [longitude, latitude])
  }
}

private class Shop: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var spot: Spot?
  @Persisted var branch: Shop?
}

private func store(_ shops: Int, _ random: inout SeededRandom) throws -> Results<Shop> {
  let realm = try Realm(configuration: .inMemory(objectTypes: [Shop.self, Spot.self]))
  try realm.write {
    for id in 0..<shops {
      let shop = Shop()
      shop.id = id
      if random.below(8) > 0 { shop.spot = Spot(random.unit() * 40 - 20, random.unit() * 40 - 20) }
      if random.below(9) == 0 { shop.spot?.coordinates.removeAll() }
      realm.add(shop)
    }
    for shop in realm.objects(Shop.self) where shop.id % 3 == 0 {
      shop.branch = realm.object(ofType: Shop.self, forPrimaryKey: random.below(shops))
    }
  }
  return realm.objects(Shop.self)
}

@Suite struct GeoQueryTests {
  private func point(_ shop: Shop?) -> GeoPoint? {
    guard let numbers = shop?.spot?.coordinates, numbers.count >= 2 else { return nil }
    return GeoPoint(latitude: numbers[1], longitude: numbers[0])
  }

  @Test(arguments: Seeds.all) func shapesContainThePointsThatTheyContainByThemselves(seed: Seed) throws {
    var random = seed.random
    let all = try store(150, &random)
    for _ in 0..<5 {
      let (south, west) = (random.unit() * 30 - 20, random.unit() * 30 - 20)
      let box = try #require(GeoBox(bottomLeft: (south, west), topRight: (south + 10, west + 10)))
      let circle = try #require(GeoCircle(center: (south, west), radiusInRadians: random.unit() / 4))
      let polygon = try #require(
        GeoPolygon(
          outerRing: [(south, west), (south, west + 12), (south + 9, west + 3), (south, west)],
          holes: [[(south + 1, west + 2), (south + 1, west + 3), (south + 2, west + 3), (south + 1, west + 2)]]))
      let boxed = all.filter { point($0).map(box.contains) ?? false }.map(\.id)
      #expect(all.where { $0.spot.geoWithin(box) }.map(\.id) == Array(boxed))
      #expect(all.where { !$0.spot.geoWithin(box) }.count == 150 - boxed.count)
      #expect(all.filter("spot IN %@", box).map(\.id) == Array(boxed))
      #expect(
        all.where { $0.spot.geoWithin(circle) }.map(\.id)
          == Array(all.filter { point($0).map(circle.contains) ?? false }.map(\.id)))
      #expect(
        all.where { $0.spot.geoWithin(polygon) && $0.id > 20 }.map(\.id)
          == Array(all.filter { point($0).map(polygon.contains) ?? false && $0.id > 20 }.map(\.id)))
      #expect(
        all.where { $0.branch.spot.geoWithin(box) }.map(\.id)
          == Array(all.filter { point($0.branch).map(box.contains) ?? false }.map(\.id)))
    }
  }

  @Test func shapesThatAreNoneAndThingsThatAreNoPointsTrap() async {
    let shape = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var random = SeededRandom(seed: 1)
      let crossing = GeoPolygon(outerRing: [(0, 0), (4, 4), (4, 0), (0, 4), (0, 0)])!
      _ = try store(1, &random).where { $0.spot.geoWithin(crossing) }.count
    }
    expectSentence("The outer ring is no ring", of: shape)
    let thing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var random = SeededRandom(seed: 1)
      _ = try store(1, &random).filter("branch IN %@", GeoCircle(center: (0, 0), radiusInRadians: 1)!).count
    }
    expectSentence("'branch' is no point", of: thing)
  }
}
