import FiefRuntime
import FiefTestSupport
import Foundation
import Testing

@Suite struct RuntimeFeatureTests {
  /// The alarm for a new toolchain: a piece whose probe fails costs speed, which is not seen otherwise.
  @Test(arguments: RuntimeFeature.allCases)
  func everyPieceIsAvailableOnThisToolchainUnlessItIsSwitchedOff(_ feature: RuntimeFeature) {
    let setting = ProcessInfo.processInfo.environment["FIEF_RUNTIME"] ?? ""
    let isOff = RuntimeFeature.switchedOff(by: setting).contains(feature)
    #expect(feature.isAvailable != isOff)
  }

  @Test func plainTurnsOffEveryPieceThatHasASlowerWay() {
    let off = RuntimeFeature.switchedOff(by: "plain")
    #expect(off == Set(RuntimeFeature.allCases).subtracting([.classDiscovery, .currentExecutor]))
  }

  @Test func namesTurnOffSinglePiecesAndUnknownNamesNone() {
    #expect(RuntimeFeature.switchedOff(by: "smallStrings,tryRetain,nonsense") == [.smallStrings, .tryRetain])
    #expect(RuntimeFeature.switchedOff(by: "") == [])
  }
}
