import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private enum Colour: String, PersistableEnum { case red, green }

private class Wheel: Object {
  @Persisted var size = 20
}

private class Bell: EmbeddedObject {
  @Persisted var sound = "ring"
}

private class Bike: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var frameColour: Colour
  @Persisted var price: Decimal128?
  @Persisted var bought: Date
  @Persisted var bell: Bell?
  @Persisted var spare: Wheel?
  @Persisted var extra: AnyRealmValue
  @Persisted var gears: List<Int>
  @Persisted var gaps: List<String?>
  @Persisted var wheels: List<Wheel>
  @Persisted var tags: MutableSet<String>
  @Persisted var stored: MutableSet<Wheel>
  @Persisted var prices: Map<String, Double>
  @Persisted var parts: Map<String, Wheel?>
  override class func propertiesMapping() -> [String: String] { ["frameColour": "frame_colour"] }
}

private class Rack: Object {
  @Persisted var bikes: List<Bike>
  @Persisted(originProperty: "racks") var sheds: LinkingObjects<Shed>
}

private class Shed: Object {
  @Persisted var racks: List<Rack>
}

@Suite struct DynamicObjectTests {
  private static let classes: [ObjectBase.Type] = [Wheel.self, Bell.self, Bike.self, Rack.self, Shed.self]

  private func filled() throws -> (Realm, Bike) {
    let realm = try Realm(configuration: .inMemory(objectTypes: Self.classes))
    let bike = Bike()
    bike.id = 3
    bike.frameColour = .green
    bike.price = 99.5
    bike.bell = Bell()
    bike.spare = Wheel()
    bike.extra = .fromArray([.int(1)])
    bike.gears.append(7)
    bike.gaps.append(nil)
    bike.wheels.append(Wheel())
    bike.tags.insert("new")
    bike.stored.insert(Wheel())
    bike.prices["shop"] = 1.5
    bike.parts["front"] = Wheel()
    try realm.write { realm.add(bike) }
    return (realm, bike)
  }

  @Test func propertiesAreReadAsTheyAreStored() throws {
    let (realm, bike) = try filled()
    let dynamic = try #require(realm.dynamicObject(ofType: "Bike", forPrimaryKey: 3))
    #expect(dynamic.id as? Int == 3)
    #expect(dynamic["frameColour"] as? String == "green")
    #expect(dynamic.price as? Decimal128 == 99.5)
    #expect(dynamic.bought as? Date == bike.bought)
    #expect((dynamic.bell as? Bell)?.sound == "ring")
    #expect((dynamic["spare"] as? Wheel)?.size == 20)
    #expect((dynamic.extra as? List<AnyRealmValue>)?.first == .int(1))
    #expect((dynamic.gears as? List<Int>).map(Array.init) == [7])
    #expect((dynamic.gaps as? List<String?>).map(Array.init) == [nil])
    #expect((dynamic.wheels as? List<DynamicObject>)?.first?.size as? Int == 20)
    #expect((dynamic.tags as? MutableSet<String>)?.contains("new") == true)
    #expect((dynamic.stored as? MutableSet<DynamicObject>)?.count == 1)
    #expect((dynamic.prices as? Map<String, Double>)?["shop"] == 1.5)
    let part = (dynamic.parts as? Map<String, DynamicObject?>)?["front"] ?? nil
    #expect(part?.size as? Int == 20)
    #expect(dynamic.isSameObject(as: bike) && dynamic.realm == realm)
    #expect(dynamic.objectSchema.className == "Bike" && dynamic.objectSchema["price"]?.isOptional == true)
    #expect(dynamic.description.hasPrefix("Bike {"))
  }

  @Test func propertiesAreWrittenByName() throws {
    let (realm, bike) = try filled()
    let dynamic = try #require(realm.dynamicObjects("Bike").first)
    let wheel = try #require(realm.dynamicObjects("Wheel").last)
    try realm.write {
      dynamic.frameColour = "red"
      dynamic["price"] = nil
      dynamic.extra = "text"
      dynamic.gears = [1, 2]
      dynamic.spare = wheel
      dynamic.wheels = [wheel, wheel]
      dynamic.bell = Bell()
    }
    #expect(bike.frameColour == .red && bike.price == nil && bike.extra == .string("text"))
    #expect(Array(bike.gears) == [1, 2] && bike.wheels.count == 2)
    #expect(bike.spare?.isSameObject(as: wheel) == true)
    #expect(dynamic.extra as? String == "text")
  }

  @Test func propertiesAreReadAndWrittenByUndefinedKeys() throws {
    let (realm, bike) = try filled()
    let dynamic = try #require(realm.dynamicObjects("Bike").first)
    #expect(dynamic.value(forUndefinedKey: "frameColour") as? String == "green")
    try realm.write { dynamic.setValue("red", forUndefinedKey: "frameColour") }
    #expect(bike.frameColour == .red)
    #expect(throws: Realm.Error(.invalidValue)) {
      try realm.write { dynamic.setValue(7, forUndefinedKey: "frameColour") }
    }
  }

  @Test func wrongValuesFailTheWrite() throws {
    let (realm, bike) = try filled()
    let dynamic = try #require(realm.dynamicObjects("Bike").first)
    #expect(throws: Realm.Error(.invalidValue)) { try realm.write { dynamic.frameColour = 7 } }
    #expect(throws: Realm.Error(.invalidValue)) { try realm.write { dynamic.spare = bike } }
    #expect(throws: Realm.Error(.invalidValue)) { try realm.write { dynamic.id = 4 } }
    #expect(bike.frameColour == .green && bike.id == 3)
  }

  @Test func unknownNamesTrap() async {
    let property = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Wheel.self]))
      try realm.write { realm.add(Wheel()) }
      print(realm.dynamicObjects("Wheel").first?.colour as Any)
    }
    expectSentence("Invalid property name 'colour' for class 'Wheel'", of: property)
    let name = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Wheel.self]))
      print(realm.dynamicObjects("Whale").count)
    }
    expectSentence("its file has no class of that name", of: name)
  }

  @Test func collectionsOfTypedObjectsAreSeenByNames() throws {
    let (realm, bike) = try filled()
    let wheels: List<DynamicObject> = bike.dynamicList("wheels")
    #expect(wheels[0].size as? Int == 20)
    #expect(bike.dynamicMutableSet("stored").count == 1)
    let parts: Map<String, DynamicObject?> = bike.dynamicMap("parts")
    #expect((parts["front"] ?? nil)?["size"] as? Int == 20)
    try realm.write { wheels[0].size = 24 }
    #expect(bike.wheels[0].size == 24)
  }

  @Test func anObjectInAnAnyValueComesAsOneOfItsClass() throws {
    let (realm, bike) = try filled()
    try realm.write { bike.extra = .object(Wheel()) }
    let dynamic = try #require(realm.dynamicObjects("Bike").first)
    #expect((dynamic.extra as? Wheel)?.size == 20)
    #expect((dynamic.value(forKeyPath: "spare.size") as? Int) == 20)
  }

  @Test func collectionsOfValuesAreSeenByNames() throws {
    let (realm, bike) = try filled()
    try realm.write { bike.gears.append(8) }
    let gears = bike.dynamicList("gears")
    #expect(gears.count == 2 && bike.dynamicMutableSet("tags").count == 1)
    let prices: Map<String, DynamicObject?> = bike.dynamicMap("prices")
    #expect(prices.count == 1 && prices.keys == ["shop"])
    let numbers: List<Int> = bike.dynamicList("gears")
    let tags: MutableSet<String> = bike.dynamicMutableSet("tags")
    let typed: Map<String, Double> = bike.dynamicMap("prices")
    let gaps: List<String?> = bike.dynamicList("gaps")
    #expect(Array(numbers) == [7, 8] && Array(tags) == ["new"] && typed["shop"] == 1.5 && Array(gaps) == [nil])
    try realm.write {
      numbers.append(9)
      gears.remove(at: 0)
    }
    #expect(Array(bike.gears) == [8, 9])
  }

  @Test func valuesReadAsObjectsTrap() async {
    let element = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      print(try DynamicObjectTests().filled().1.dynamicList("gears")[0])
    }
    expectSentence("Could not convert stored value", of: element)
    let iteration = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      for gear in try DynamicObjectTests().filled().1.dynamicList("gears") { print(gear) }
    }
    expectSentence("Could not convert stored value", of: iteration)
    let ofTexts = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let texts: List<String> = try DynamicObjectTests().filled().1.dynamicList("gears")
      print(texts)
    }
    expectSentence("has no elements of type 'String'", of: ofTexts)
    let ofTags = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      print(try DynamicObjectTests().filled().1.dynamicList("tags"))
    }
    expectSentence("Property 'Bike.tags' is no list", of: ofTags)
  }

  @Test func linkingObjectsAreSeenByNames() throws {
    let (realm, bike) = try filled()
    let (rack, shed) = (Rack(), Shed())
    try realm.write {
      realm.add(shed)
      shed.racks.append(rack)
      rack.bikes.append(bike)
    }
    let dynamic = try #require(realm.dynamicObjects("Rack").first)
    let sheds = try #require(dynamic.sheds as? LinkingObjects<DynamicObject>)
    #expect(sheds.count == 1)
    #expect((sheds.first?.racks as? List<DynamicObject>)?.count == 1)
  }

  @Test func collectionsOfAnUnmanagedObjectAreSeenByNames() {
    let bike = Bike()
    bike.wheels.append(objectsIn: [Wheel(), Wheel()])
    bike.stored.insert(Wheel())
    bike.parts["front"] = Wheel()
    bike.gears.append(7)
    let wheels: List<DynamicObject> = bike.dynamicList("wheels")
    #expect(wheels.count == 2 && wheels[1].size as? Int == 20 && wheels.map { $0.size as? Int } == [20, 20])
    wheels[1].size = 24
    #expect(bike.wheels.map(\.size) == [20, 24])
    // It is live.
    bike.wheels.append(Wheel())
    #expect(wheels.count == 3 && wheels.last?.size as? Int == 20)
    let parts: Map<String, DynamicObject?> = bike.dynamicMap("parts")
    #expect((parts["front"] ?? nil)?["size"] as? Int == 20 && parts.keys == ["front"])
    #expect(bike.dynamicMutableSet("stored").count == 1)
    let gears: List<Int> = bike.dynamicList("gears")
    #expect(gears === bike.gears)
    gears.append(8)
    #expect(Array(bike.gears) == [7, 8])
    let dynamic = AnyRealmValue.object(bike).dynamicObject
    #expect(dynamic?.dynamicList("wheels").count == 3 && Bike().dynamicList("gears").isEmpty)
  }

  @Test func collectionsOfAnUnmanagedObjectAreNotChangedByNames() async {
    let change = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Bike().dynamicList("wheels").removeAll()
    }
    expectSentence("through a view by names", of: change)
    let values = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let bike = Bike()
      bike.gears.append(7)
      print(bike.dynamicList("gears").count)
    }
    expectSentence("The elements of an unmanaged collection are read as a", of: values)
  }

  @Test func anUnmanagedObjectIsShownByNames() {
    let wheel = Wheel()
    let dynamic = AnyRealmValue.object(wheel).dynamicObject
    #expect(dynamic?.size as? Int == 20)
    dynamic?.size = 26
    #expect(wheel.size == 26)
  }
}
