import Combine
import FiefTestSupport
import Foundation
import RealmSwift
import Testing

@Suite("Misuse of publishers")
struct PublisherMisuseTests {
  // A realm on a concurrent queue traps when it is opened there, at the first delivery.

  @Test func `receiving on a concurrent queue traps`() async {
    await #expect(processExitsWith: .failure) { @MainActor in
      let realm = try Realm.herd(Cow(1, "Ada"))
      let cancellable = realm.objects(Cow.self).collectionPublisher
        .receive(on: DispatchQueue(label: "wide", attributes: .concurrent)).record(Received<Int>()) { $0.count }
      _ = await eventually { false }
      cancellable.cancel()
    }
  }

  @Test func `subscribing on a concurrent queue traps`() async {
    await #expect(processExitsWith: .failure) { @MainActor in
      let realm = try Realm.herd(Cow(1, "Ada"))
      let cancellable = valuePublisher(realm.objects(Cow.self)[0]).subscribe(on: DispatchQueue.global())
        .record(Received<Int>()) { $0.id }
      _ = await eventually { false }
      cancellable.cancel()
    }
  }

  @Test func `another scheduler traps`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      let realm = try Realm.herd(Cow(1, "Ada"))
      _ = realm.objects(Cow.self).collectionPublisher.receive(on: ImmediateScheduler.shared)
    }
    #expect(said(result).contains("a scheduler of type ImmediateScheduler: use a serial DispatchQueue"))
  }

  @Test func `live objects that cross a queue without a reference trap`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      let realm = try Realm.herd(Cow(1, "Ada"))
      let names = Received<String>()
      let cancellable = realm.objects(Cow.self).collectionPublisher.map { $0 }
        .receive(on: DispatchQueue(label: "pasture")).record(names) { $0[0].name }
      _ = await eventually { !names.values.isEmpty }
      cancellable.cancel()
    }
    #expect(said(result).contains("incorrect thread"))
  }

  @Test func `publishing an unmanaged object traps at the subscription`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      _ = valuePublisher(Cow(1, "Ada")).record(Received<Int>()) { $0.id }
    }
    #expect(said(result).contains("only available for managed objects"))
  }

  @Test func `publishing a frozen list traps at the subscription`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      let realm = try Realm.herd(Cow(1, "Ada"))
      _ = realm.objects(Herd.self)[0].cows.freeze().changesetPublisher.record(Received<String>()) { words($0) }
    }
    #expect(said(result).contains("frozen"))
  }

  @Test func `an unknown key path traps at the subscription`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      let realm = try Realm.herd(Cow(1, "Ada"))
      _ = realm.objects(Cow.self).collectionPublisher(keyPaths: ["horns"]).record(Received<Int>()) { $0.count }
    }
    #expect(said(result).contains("horns"))
  }

  private func said(_ result: ExitTest.Result?) -> String {
    result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
  }
}
