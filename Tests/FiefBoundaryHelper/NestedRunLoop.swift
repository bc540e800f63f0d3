import Dispatch
import Fief
import Foundation

/// Runs run loops inside the main run loop, as code does that waits for something on the main thread.
@MainActor
final class NestedRunLoop {
  private let realm: Realm
  private var told: [String] = []
  private var isOver = false

  init() {
    do {
      realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self]))
    } catch {
      fatalError("No realm in memory was opened: \(error)")
    }
  }

  /// Prints what arrives inside a block of the main queue, and inside one of the main run loop.
  func run() {
    let token = realm.objects(Dog.self).observe { [unowned self] change in
      switch change {
      case .initial(let dogs): told.append("initial \(dogs.count)")
      case .update(let dogs, _, _, _): told.append("update \(dogs.count)")
      case .error: told.append("error")
      }
    }
    DispatchQueue.main.async { [unowned self] in
      MainActor.assumeIsolated { work("in a block of the main queue") }
    }
    runLoop { isOver }
    isOver = false
    RunLoop.main.perform { [unowned self] in
      MainActor.assumeIsolated { work("in a block of the run loop") }
    }
    runLoop { isOver }
    token.invalidate()
  }

  private func work(_ place: String) {
    let before = realm.objects(Dog.self).count
    for id in 1...2 {
      realm.writeAsync { [unowned self] in
        realm.create(Dog.self, value: ["id": before + id])
      } onComplete: { [unowned self] _ in
        told.append("complete \(id)")
      }
    }
    runLoop { told.contains("update \(before + 2)") && told.contains("complete 2") }
    let (configuration, id) = (realm.configuration, before + 3)
    Thread.detachNewThread {
      do {
        let realm = try Realm(configuration: configuration)
        try realm.write { _ = realm.create(Dog.self, value: ["id": id]) }
      } catch {
        say("threw \(error)")
      }
    }
    runLoop { told.contains("update \(id)") }
    let order = told.filter { $0.hasPrefix("complete") }.joined(separator: ", ")
    say("\(place): \(order), \(realm.objects(Dog.self).count) dogs")
    told = []
    isOver = true
  }

  /// Runs the run loop of the main thread until a condition holds; not for ever.
  private func runLoop(until condition: () -> Bool) {
    let start = ContinuousClock.now
    while !condition() {
      if ContinuousClock.now - start > .seconds(1_800) {
        say("waited in vain, after \(told)")
        exit(1)
      }
      _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
    }
  }
}
