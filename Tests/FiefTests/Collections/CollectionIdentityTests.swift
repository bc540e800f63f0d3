import RealmSwift
import Testing

private class Den: Object {
  @Persisted var foxes: List<Fox>
  @Persisted var rare: MutableSet<Fox>
  @Persisted var named: Map<String, Fox?>
  let older = List<Fox>()
  let names = Map<String, String>()
}

private class Fox: Object {
  @Persisted var name = ""
  @Persisted(originProperty: "foxes") var dens: LinkingObjects<Den>
  @Persisted(originProperty: "rare") var rareDens: LinkingObjects<Den>
  let older = LinkingObjects(fromType: Den.self, property: "older")
}

@Suite struct CollectionIdentityTests {
  @Test func collectionsOfOneAccessorAreEqual() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Den.self, Fox.self]))
    let (den, fox) = (Den(), Fox())
    den.foxes.append(fox)
    try realm.write { realm.add(den) }
    for den in [den, den.freeze(), try #require(realm.objects(Den.self).first)] {
      #expect(den.foxes == den.foxes && den.rare == den.rare && den.named == den.named)
      #expect(den.foxes.hashValue == den.foxes.hashValue)
      #expect(den.older === den.older && den.names === den.names)
    }
    for fox in [fox, fox.freeze(), try #require(realm.objects(Fox.self).first)] {
      #expect(fox.dens == fox.dens && fox.older == fox.older)
      #expect(fox.dens != fox.rareDens)
    }
    #expect(fox.dens != fox.freeze().dens && fox.freeze().dens == fox.freeze().dens)
  }

  @Test func linkingObjectsOfSeveralObjectsOrOfUnmanagedOnesDiffer() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Den.self, Fox.self]))
    let foxes = try realm.write { [realm.create(Fox.self), realm.create(Fox.self)] }
    #expect(foxes[0].dens != foxes[1].dens && foxes[0].dens == foxes[0].dens)
    #expect(Fox().older != Fox().older)
  }
}
