import Fief

extension TourStep {
  static let collecting = TourStep(title: "Sets, maps and values of any type are properties like others") { tour in
    let realm = try tour.realm
    let (rex, fido) = (try tour.dog("Rex"), try tour.dog("Fido"))
    try realm.write { rex.tricks.insert(objectsIn: ["sit", "roll", "sit"]) }
    try tour.show("Rex.tricks takes sit, roll, sit", rex.tricks.sorted().joined(separator: ", "), claim: "roll, sit")
    try realm.write {
      rex.parks["Berlin"] = "Tiergarten"
      rex.parks["Kyoto"] = "Maruyama"
      rex.parks["Berlin"] = "Mauerpark"
    }
    try tour.show(
      "Rex.parks by city, Berlin's twice",
      rex.parks.keys.map { "\($0): \(rex.parks[$0] ?? "")" }.joined(separator: ", "),
      claim: "Berlin: Mauerpark, Kyoto: Maruyama")
    var found: [String] = []
    for friend in [.string("a cat"), .object(fido), .fromArray([.int(1), .bool(true)])] as [AnyRealmValue] {
      try realm.write { rex.friend = friend }
      found.append(rex.friend.words)
    }
    try tour.show(
      "Rex.friend, three times given another type", found.joined(separator: ", then "),
      claim: "the string 'a cat', then the object Fido, then a list of 2")
  }
}
