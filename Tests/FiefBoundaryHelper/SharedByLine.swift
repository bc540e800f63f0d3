import Fief
import FiefBoundarySupport
import Foundation
import Synchronization

/// A document of an outbox.
class Notice: AsymmetricObject {
  @Persisted(primaryKey: true) var id = 0
}

/// A class that not every process has, in two forms.
class Extra: Object {
  @Persisted(primaryKey: true) var id = 0
}

class WideExtra: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var note = ""
  override class func _realmObjectName() -> String? { "Extra" }
}

/// One process of several that share a file: does what each line of standard input says, and answers with a line.
///
///     open [exclusive] [reader] [newer] [compacting] [delivering] [still] [hurried] [kept]    opened NUMBER
///     open … [extra | wide] [version=NUMBER]             opened NUMBER, with a class more
///     add ID | extras                                    added | extras COUNT notified COUNT
///     since VERSION                                      since COUNT: the modified objects, or unknown
///     write | burst COUNT | begin | commit | cancel      done NUMBER | done NUMBER | begun | done NUMBER | cancelled
///     number | refresh [TIMES] | await NUMBER | settle   number NUMBER
///     version                                            version NUMBER
///     notifications                                      notifications COUNT
///     alternate PARITY END    number END: writes whenever a notification shows a number of that parity
///     compact | close | delete                           compacted | closed | deleted true
///     limit BYTES | unlimit                              limited
///     send ID | delivered                                sent | delivered ID…
///     fork                                               the answers of the child, and: forked STATUS
///     threw CODE MESSAGE                                 to each of them
final class SharedByLine {
  private let path: String
  private var bank: SharedBank?
  private var token: NotificationToken?
  private var notifications = 0
  private var extraToken: NotificationToken?
  private var extraNotifications = 0
  private var counter = 0
  private static let delivered = Mutex<[String]>([])

  init(path: String) { self.path = path }

  func run() {
    while let line = readLine() {
      let words = line.split(separator: " ").map(String.init)
      do { say(try answer(words)) } catch {
        let message = error.localizedDescription.split(whereSeparator: \.isNewline).joined(separator: " ")
        say("threw \(code(of: error)) \(message)")
      }
    }
  }

  private func answer(_ words: [String]) throws -> String {
    if words[0] == "open" { return try open(Set(words.dropFirst())) }
    if words[0] == "delete" { return "deleted \(try Realm.deleteFiles(for: SharedBank.configuration(path)))" }
    guard let bank else { return "not open" }
    let realm = bank.realm
    switch words[0] {
    case "write": return "done \(try realm.write { sign(bank) })"
    case "burst":
      var number = 0
      for _ in 0..<(Int(words[1]) ?? 0) { number = try realm.write { sign(bank) } }
      return "done \(number)"
    case "begin":
      realm.beginWrite()
      return "begun \(bank.number)"
    case "commit":
      let number = sign(bank)
      try realm.commitWrite()
      return "done \(number)"
    case "cancel":
      realm.cancelWrite()
      return "cancelled"
    case "number": return "number \(bank.number)"
    case "refresh":
      for _ in 0..<(words.count > 1 ? Int(words[1]) ?? 0 : 1) { realm.refresh() }
      return "number \(bank.number)"
    case "await":
      let wanted = Int(words[1]) ?? 0
      while bank.number < wanted { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.005)) }
      return "number \(bank.number)"
    case "settle":
      RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.2))
      return "number \(bank.number)"
    case "alternate":
      alternate(bank, parity: Int(words[1]) ?? 0, end: Int(words[2]) ?? 0)
      return "number \(bank.number)"
    case "notifications": return "notifications \(notifications)"
    case "add":
      try realm.write { _ = realm.dynamicCreate("Extra", value: ["id": Int(words[1]) ?? 0]) }
      return "added"
    case "extras":
      realm.refresh()
      RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.05))
      return "extras \(realm.dynamicObjects("Extra").count) notified \(extraNotifications)"
    case "version": return "version \(realm.version)"
    case "since":
      let changes = realm.changes(since: UInt64(words[1]) ?? 0)
      let count = changes.reduce(0) { $0 + $1.insertions.count + $1.modifications.count }
      return "since \(changes.isComplete ? "\(count)" : "unknown")"
    case "compact":
      try realm.compact()
      return "compacted"
    case "close":
      token?.invalidate()
      (token, extraToken, self.bank) = (nil, nil, nil)
      return "closed"
    case "limit", "unlimit":
      limitFiles(to: words.count > 1 ? rlim_t(words[1]) : nil)
      return "limited"
    case "send":
      try realm.write { realm.create(Notice.self, value: ["id": Int(words[1]) ?? 0]) }
      return "sent"
    case "delivered": return (["delivered"] + Self.delivered.withLock { $0 }).joined(separator: " ")
    case "fork": return Self.fork { self.beChild() }
    default: return "unknown \(words)"
    }
  }

  private func sign(_ bank: SharedBank) -> Int {
    counter += 1
    return bank.sign(process: Int(getpid()), counter: counter)
  }

  private func alternate(_ bank: SharedBank, parity: Int, end: Int) {
    func answer() {
      guard bank.number % 2 == parity, bank.number < end else { return }
      do { try bank.realm.write { _ = sign(bank) } } catch { say("threw \(code(of: error))") }
    }
    let token = bank.realm.observe { _, _ in answer() }
    answer()
    while bank.number < end { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.005)) }
    token.invalidate()
  }

  private func open(_ options: Set<String>) throws -> String {
    var configuration = SharedBank.configuration(path, isReadOnly: options.contains("reader"))
    configuration.isExclusive = options.contains("exclusive")
    configuration.objectTypes?.append(Notice.self)
    if options.contains("newer") {
      configuration.schemaVersion = 1
      configuration.migrationBlock = { _, _ in }
    }
    if let version = options.compactMap({ $0.hasPrefix("version=") ? UInt64($0.dropFirst(8)) : nil }).first {
      configuration.schemaVersion = version
    }
    if options.contains("extra") { configuration.objectTypes?.append(Extra.self) }
    if options.contains("wide") { configuration.objectTypes?.append(WideExtra.self) }
    if options.contains("hurried") { configuration.patience = 300 }
    if options.contains("kept") { configuration.history = .versions(1000) }
    if options.contains("compacting") { configuration.shouldCompactOnLaunch = { _, _ in true } }
    if options.contains("delivering") {
      configuration.ingestHandler = { documents in
        Self.delivered.withLock { $0 += documents.map { "\($0["id"] ?? "")" } }
      }
    }
    let realm = try Realm(configuration: configuration)
    realm.autorefresh = !options.contains("still")
    bank = SharedBank(realm)
    token = realm.observe { _, _ in self.notifications += 1 }
    extraNotifications = 0
    if options.contains("extra") || options.contains("wide") {
      extraToken = realm.dynamicObjects("Extra").observe { _ in self.extraNotifications += 1 }
    }
    return "opened \(bank?.number ?? 0)"
  }

  /// Limits the size of files of this process, as a full disk would.
  private func limitFiles(to bytes: rlim_t?) {
    // Without this, the signal would end the process.
    signal(SIGXFSZ, SIG_IGN)
    var limits = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
    limits.rlim_cur = bytes ?? limits.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
  }

  // MARK: Forking

  private func beChild() {
    for words in [["number"], ["write"], ["open"], ["write"]] {
      do { say("child \(try answer(words))") } catch { say("child refused \(code(of: error))") }
    }
  }

  private static func fork(_ body: () -> Void) -> String {
    guard let fork = Forking.fork else { return "there is no fork" }
    let child = fork()
    if child == 0 {
      body()
      _exit(0)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    return "forked \(status)"
  }
}
