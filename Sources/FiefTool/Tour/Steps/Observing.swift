import Fief

extension TourStep {
  static let observing = TourStep(title: "Changes are told to whoever wants to hear of them") { tour in
    let realm = try tour.realm
    let (dogs, luna) = (realm.objects(Dog.self), try tour.dog("Luna"))
    var told: [String] = []
    let tokens = [
      dogs.observe { change in
        switch change {
        case .initial(let dogs): told.append("there are \(dogs.count)")
        case .update(_, let deletions, let insertions, let modifications):
          told.append("deleted \(deletions), inserted \(insertions), modified \(modifications)")
        case .error: break
        }
      },
      luna.observe { change in
        guard case .change(_, let properties) = change else { return }
        for property in properties {
          told.append("\(property.name) from \(property.oldValue ?? "nil") to \(property.newValue ?? "nil")")
        }
      },
    ]
    defer { tokens.forEach { $0.invalidate() } }
    /// The notifications since the last call.
    func heard() -> String {
      realm.refresh()
      defer { told = [] }
      return told.isEmpty ? "nothing" : told.sorted().joined(separator: "; ")
    }
    try tour.show("observe all dogs, and Luna", heard(), claim: "there are 4")
    let pup = try realm.write {
      luna.age = 2
      return realm.create(Dog.self, value: ["name": "Pup"])
    }
    try tour.show(
      "Luna.age = 2 and a new dog, in one write", heard(),
      claim: "age from 1 to 2; deleted [], inserted [4], modified [2]")
    try realm.write { realm.delete(pup) }
    try tour.show("the new dog is given away", heard(), claim: "deleted [4], inserted [], modified []")
    try realm.write { luna.age = 2 }
    try tour.show("Luna.age = 2 once more", heard(), claim: "nothing")
  }
}
