import Dispatch
import Fief
import FiefSessions
import Foundation

/// Thaws objects in blocks of a queue that the main thread runs by `sync`.
enum ThawingInSync {
  /// Prints where the objects are live.
  static func run() throws {
    let configuration = Realm.Configuration.inMemory(objectTypes: [Dog.self])
    let queue = DispatchQueue(label: "dogs")
    let here = try Realm(configuration: configuration)
    let rex = try here.write { here.create(Dog.self) }
    let ofMain = rex.freeze()
    func tell(_ what: String, _ dog: Dog) {
      say("\(what): \(dog.thaw()?.realm?.session.confinement.label ?? "nowhere")")
    }
    queue.sync { tell("without a realm of the queue", ofMain) }
    var there: Realm?
    var ofQueue = ofMain
    try queue.sync {
      there = try Realm(configuration: configuration, queue: queue)
      if let dog = there?.objects(Dog.self).first { ofQueue = dog.freeze() }
      tell("frozen on the queue", ofQueue)
      tell("frozen on the main thread", ofMain)
      try there?.write { ofMain.thaw()?.name = "Max" }
    }
    tell("outside of the block", ofQueue)
    here.refresh()
    say("the name is \(rex.name)")
    queue.sync { there = nil }
  }
}
