import Fief

extension TourStep {
  static let declaring = TourStep(title: "Classes are declared, and a realm is opened in a new file") { tour in
    func show(_ schema: ObjectSchema, claim: String) throws {
      try tour.show(
        "\(schema.className)\(schema.isEmbedded ? " (embedded)" : "")",
        schema.properties.map(\.words).joined(separator: ", "), claim: claim)
    }
    try show(
      Dog().objectSchema,
      claim: "name: string, age: int, toy: Toy?, tricks: set of string, parks: map to string, friend: mixed")
    try tour.show(
      "what is not stored, but known", Dog().objectSchema["owners"]?.words ?? "",
      claim: "owners: who has it as (Person)")
    try show(Toy().objectSchema, claim: "name: string")
    try show(Person().objectSchema, claim: "id: int, name: string, dogs: list of Dog, home: Address?")
    try show(Address().objectSchema, claim: "street: string, city: string")
    func state() -> String { Realm.fileExists(for: tour.configuration) ? "there" : "not there" }
    let before = state()
    try tour.open()
    try tour.show("dogs.realm before and after its opening", "\(before), \(state())", claim: "not there, there")
    try tour.show("what is in it", (try tour.realm).isEmpty ? "nothing yet" : "something", claim: "nothing yet")
  }
}
