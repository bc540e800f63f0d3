import Foundation
import RealmSwift
import Testing

@Suite struct ErrorTests {
  @Test func codesHaveTheOriginalsNumbers() {
    let known: [(Realm.Error.Code, Int)] = [
      (.fail, 1), (.fileAccess, 2), (.filePermissionDenied, 3), (.fileExists, 4), (.fileNotFound, 5),
      (.fileFormatUpgradeRequired, 6), (.incompatibleLockFile, 8), (.addressSpaceExhausted, 9), (.schemaMismatch, 10),
      (.alreadyOpen, 12), (.invalidInput, 13), (.outOfDiskSpace, 14), (.incompatibleSession, 15),
      (.unsupportedFileFormatVersion, 16), (.multipleSyncAgents, 17), (.subscriptionFailed, 18),
      (.fileOperationFailed, 19), (.invalidDatabase, 20), (.incompatibleHistories, 21), (.noSubscriptionForWrite, 22),
    ]
    for (code, number) in known {
      #expect(code.rawValue == number)
      #expect(Realm.Error(code).code == code && Realm.Error(code).errorCode == number)
    }
    #expect(Set(Realm.Error.Code.allCases.map(\.rawValue)).count == Realm.Error.Code.allCases.count)
  }

  @Test func anErrorCarriesTextAndFile() {
    let error = Realm.Error(
      .fileNotFound, userInfo: [NSLocalizedDescriptionKey: "no file", NSFilePathErrorKey: "/tmp/x.realm"])
    #expect(error.localizedDescription == "no file" && "\(error)" == "no file")
    #expect((error as any Error).localizedDescription == "no file")
    #expect(error.fileURL == URL(fileURLWithPath: "/tmp/x.realm"))
    #expect(error.userInfo[NSLocalizedDescriptionKey] as? String == "no file")
    let bridged = error as NSError
    #expect(bridged.domain == "io.realm" && bridged.code == 5 && Realm.Error.errorDomain == "io.realm")
    #expect(!Realm.Error.callFailed.localizedDescription.isEmpty && Realm.Error.callFailed.code == .fail)
  }

  @Test func errorsAreCaughtByCode() {
    func caught(_ error: any Error) -> String {
      do {
        throw error
      } catch Realm.Error.fileNotFound {
        return "not found"
      } catch Realm.Error.schemaMismatch, Realm.Error.invalidInput {
        return "mismatch or input"
      } catch let error as Realm.Error where error.code == .alreadyOpen {
        return "open"
      } catch {
        return "other"
      }
    }
    #expect(caught(Realm.Error(.fileNotFound)) == "not found")
    #expect(caught(Realm.Error(.schemaMismatch)) == "mismatch or input")
    #expect(caught(Realm.Error(.alreadyOpen)) == "open")
    #expect(caught(Realm.Error(.fail)) == "other")
    #expect(caught(CancellationError()) == "other")
  }

  @Test func aMalformedIdentifierIsInvalidInput() {
    do {
      _ = try ObjectId(string: "nonsense")
      Issue.record("nothing was thrown")
    } catch Realm.Error.invalidInput {
      // This is the expected error.
    } catch {
      Issue.record("another error: \(error)")
    }
  }

  @Test func errorsAreComparedByDomainAndCode() {
    #expect(Realm.Error(.fail) == Realm.Error(.fail, userInfo: ["a": 1]))
    #expect(Realm.Error(.fail) != Realm.Error(.fileAccess))
    let (a, b): (any Error, any Error) = (Realm.Error(.fail), Realm.Error(.fail))
    #expect(a == b)
    let other: any Error = Realm.Error(.fileExists)
    #expect(!(a == other) && !(a == CancellationError() as any Error))
  }
}
