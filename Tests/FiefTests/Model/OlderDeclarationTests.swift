import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private enum Gear: Int, PersistableEnum { case first = 1, second }

private class Wheel: Object {
  let size = RealmProperty<Int?>()
  let carts = LinkingObjects(fromType: Cart.self, property: "wheels")
}

private class Cart: Object {
  let wheels = List<Wheel>()
  var tags = MutableSet<String>()
  let seats = Map<String, Int>()
  let weight = RealmProperty<Double?>()
  let anything = RealmProperty<AnyRealmValue>()
  let gear = RealmProperty<Gear?>()
  var cache: [Int] = []
}

private class Mixed: Object {
  @Persisted var number: Int
  let loads = List<Int>()
  let skipped = List<Int>()
  override class func primaryKey() -> String? { "number" }
  override class func indexedProperties() -> [String] { ["number"] }
  override class func ignoredProperties() -> [String] { ["skipped"] }
}

@available(*, deprecated)
private class Scooter: Object {
  let speed = RealmOptional<Int>()
  let range = RealmOptional<Double>(3)
}

@Suite struct OlderDeclarationTests {
  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Wheel.self, Cart.self, Mixed.self]))
  }

  @Test func propertiesWithoutWrappersAreKept() throws {
    let realm = try realm()
    let cart = Cart()
    let wheel = Wheel()
    wheel.size.value = 20
    cart.wheels.append(wheel)
    cart.tags.insert("new")
    cart.seats["front"] = 2
    cart.weight.value = 1.5
    cart.anything.value = .string("x")
    cart.gear.value = .second
    let (weight, wheels) = (cart.weight, cart.wheels)
    try realm.write { realm.add(cart) }
    #expect(weight.value == 1.5 && cart.gear.value == .second && cart.anything.value == .string("x"))
    #expect(wheels.count == 1 && wheels[0].size.value == 20)
    #expect(cart.tags.contains("new") && cart.seats["front"] == 2)
    try realm.write {
      weight.value = 2.5
      cart.gear.value = nil
      cart.anything.value = .int(7)
      wheel.size.value = nil
    }
    let read = try #require(realm.objects(Cart.self).first)
    #expect(read.weight.value == 2.5 && read.gear.value == nil && read.anything.value == .int(7))
    #expect(read.wheels[0].size.value == nil)
  }

  @Test func aPropertyOutlivesItsAccessor() throws {
    let realm = try realm()
    let weight: RealmProperty<Double?>
    do {
      let cart = Cart()
      cart.weight.value = 4
      try realm.write { realm.add(cart) }
      weight = cart.weight
    }
    #expect(weight.value == 4)
    try realm.write { weight.value = 5 }
    #expect(weight.value == 5)
    #expect(realm.objects(Cart.self).first?.weight.value == 5)
  }

  @Test func linkingObjectsAreDeclaredWithoutAWrapper() throws {
    let realm = try realm()
    let (cart, wheel) = (Cart(), Wheel())
    cart.wheels.append(wheel)
    #expect(wheel.carts.isEmpty)
    try realm.write { realm.add(cart) }
    #expect(wheel.carts.count == 1)
    #expect(wheel.carts.first?.isSameObject(as: cart) == true)
  }

  @Test func changingAPropertyOutsideAWriteTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Wheel.self, Cart.self]))
      let wheel = Wheel()
      try realm.write { realm.add(wheel) }
      wheel.size.value = 1
    }
    expectSentence("Property 'Wheel.size' was changed outside of a write transaction", of: result)
  }

  @Test func olderDeclarationsApplyToWrappedProperties() throws {
    let realm = try realm()
    let schema = try #require(realm.schema["Mixed"])
    #expect(schema.primaryKeyProperty?.name == "number")
    #expect(schema.properties.map(\.name) == ["number", "loads"])
    let mixed = Mixed()
    mixed.number = 4
    mixed.loads.append(5)
    try realm.write { realm.add(mixed) }
    #expect(realm.object(ofType: Mixed.self, forPrimaryKey: 4)?.loads.first == 5)
  }

  @Test func propertiesCompareAndDescribeTheirValues() {
    let (a, b) = (RealmProperty<Int?>(), RealmProperty<Int?>())
    #expect(a == b && a.description == "nil")
    a.value = 3
    #expect(a != b && a.description == "3")
  }

  @Test func propertiesAreCoded() throws {
    let property = RealmProperty<Int?>()
    property.value = 3
    let data = try JSONEncoder().encode([property, RealmProperty<Int?>()])
    #expect(String(decoding: data, as: UTF8.self) == "[3,null]")
    let read = try JSONDecoder().decode([RealmProperty<Int?>].self, from: data)
    #expect(read.map(\.value) == [3, nil])
  }

  @available(*, deprecated)
  @Test func optionalsOfTheOldestKindAreKept() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Scooter.self]))
    let scooter = Scooter()
    try realm.write {
      realm.add(scooter)
      scooter.speed.value = 25
    }
    let read = try #require(realm.objects(Scooter.self).first)
    #expect(read.speed.value == 25 && read.range.value == 3)
  }
}
