import Fief

extension TourStep {
  static let undoing = TourStep(title: "What was written is undone: all of it, or a part") { tour in
    let realm = try tour.realm
    let max = try tour.dog("Max")
    struct Regret: Error {}

    realm.beginWrite()
    realm.deleteAll()
    let within = realm.objects(Dog.self).count
    realm.cancelWrite()
    try tour.show(
      "delete everything, then cancelWrite()", "\(within.of("dog")), then \(realm.objects(Dog.self).count)",
      claim: "0 dogs, then 4")
    try tour.show("an instance from before", max.isInvalidated ? "is lost" : max.words, claim: "Max, 4")

    try? realm.write {
      max.age = 100
      throw Regret()
    }
    try tour.show("a write whose block throws: Max.age is", "\(max.age)", claim: "4")

    try realm.write {
      max.age = 5
      try? realm.savepoint {
        max.age = 6
        realm.delete(realm.objects(Toy.self))
        throw Regret()
      }
    }
    try tour.show(
      "age 5, and in a savepoint 6 and no toys", "\(max.age), \(max.toy?.name ?? "no toy")", claim: "5, ball")
  }
}
