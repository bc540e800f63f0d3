import Fief
import FiefDurability

extension TourStep {
  static let reopening = TourStep(title: "The file is closed, checked, and opened again") { tour in
    let path = tour.configuration.fileURL?.path ?? ""
    let before = try StoreFile.info(path).state
    tour.close()
    let after = try StoreFile.info(path).state
    try tour.show("the file before and after closing", "\(before.name), \(after.name)", claim: "notClosed, closed")
    let report = try StoreFile.verify(path)
    try tour.show(
      "fief verify dogs.realm", report.isSound ? "sound, \(report.info?.objects ?? 0) objects" : "damaged",
      claim: "sound, 5 objects")
    try tour.open()
    let realm = try tour.realm
    let ann = try tour.person(1)
    try tour.show("Anna, read from the file", "\(ann.name) \(ann.dogs.names)", claim: "Anna [Bello]")
    try tour.show(
      "all dogs", realm.objects(Dog.self).map(\.words).joined(separator: "; "), claim: "Fido, 15; Bello, 19")
    try tour.show(
      "Bello's toy and owners", "\(try tour.dog("Bello").toy?.name ?? "none"), \(try tour.dog("Bello").owners.names)",
      claim: "bone, [Anna]")
  }
}
