// swift-tools-version: 6.2
import PackageDescription

// The compiler names every construct whose safety it cannot prove, and the source marks it: `Sources/UNSAFE.md` counts
// the marks.
let strict: [SwiftSetting] = [.strictMemorySafety()]

// Few large batches of files take less time than many small ones.
//
// In release, what is tested is optimised, and the tests are not: optimising them takes longer than it saves. A module
// compiled as a whole takes one thread, and the tests of one module are the longest part of the build; in batches they
// take two. Zero threads, because batches have none of their own.
let test: [SwiftSetting] = [
  .unsafeFlags(["-driver-batch-size-limit", "1000"]),
  .unsafeFlags(
    ["-Onone", "-gnone", "-no-whole-module-optimization", "-enable-batch-mode", "-num-threads", "0"],
    .when(configuration: .release)),
]

// Modules of Apple's under other names: `import SwiftUI` in these targets means the stand-in. The condition compiles
// the parts for them. Off Apple's platforms they are otherwise left out: a module of such a name is somebody else's.
let standIns: [SwiftSetting] = [
  .unsafeFlags(["-module-alias", "SwiftUI=StandInSwiftUI", "-module-alias", "Combine=StandInCombine"]),
  .define("FIEF_STAND_INS"),
]

// The rooms of the house and who may stand on whom; `Sources/README.md` is the map.
let package = Package(
  name: "Fief",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Fief", targets: ["Fief", "FiefViews", "FiefPublishers"]),
    .library(name: "RealmSwift", targets: ["RealmSwift"]),
    .library(name: "Realm", targets: ["Realm"]),
    .executable(name: "fief", targets: ["FiefTool"]),
    .executable(name: "fief-fuzz", targets: ["FiefFuzz"]),
  ],
  targets: [
    // The ground floor.
    .target(name: "FiefRuntime", exclude: ["README.md"], swiftSettings: strict),
    .target(name: "FiefValues", exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "FiefGraph", dependencies: ["FiefRuntime", "FiefValues"],
      exclude: ["README.md", "Trees/README.md", "Trees/HashIndex.md"], swiftSettings: strict),
    // The kernel rooms: on the ground floor, never on each other.
    .target(
      name: "FiefDurability", dependencies: ["FiefRuntime", "FiefValues", "FiefGraph"],
      exclude: ["README.md", "Codec/FORMAT.md"], swiftSettings: strict),
    .target(
      name: "FiefQueries", dependencies: ["FiefRuntime", "FiefValues", "FiefGraph"], exclude: ["README.md"],
      swiftSettings: strict),
    .target(
      name: "FiefCopying", dependencies: ["FiefRuntime", "FiefValues", "FiefGraph"], exclude: ["README.md"],
      swiftSettings: strict),
    .target(
      name: "FiefRealmFiles", dependencies: ["FiefValues", "FiefGraph"],
      exclude: ["README.md", "FORMAT.md"], swiftSettings: strict),
    // Versions and files as an executor sees them: on durability, below the classes.
    .target(
      name: "FiefSessions", dependencies: ["FiefRuntime", "FiefValues", "FiefGraph", "FiefDurability"],
      exclude: ["README.md"], swiftSettings: strict),
    // The public interface: three rooms, and the door that shows them as one module.
    .target(
      name: "FiefObjects",
      dependencies: ["FiefRuntime", "FiefValues", "FiefGraph", "FiefDurability", "FiefSessions", "FiefCopying"],
      exclude: ["README.md", "Collections/README.md", "Copying/README.md"], swiftSettings: strict),
    .target(
      name: "FiefResults",
      dependencies: [
        "FiefRuntime", "FiefValues", "FiefGraph", "FiefSessions", "FiefQueries", "FiefCopying", "FiefObjects",
      ],
      exclude: [
        "README.md", "History/README.md", "Queries/README.md", "Results/README.md", "Sectioned/README.md",
      ],
      swiftSettings: strict),
    .target(
      name: "FiefOpening",
      dependencies: [
        "FiefRuntime", "FiefValues", "FiefGraph", "FiefDurability", "FiefSessions", "FiefCopying", "FiefRealmFiles",
        "FiefObjects",
      ],
      exclude: ["README.md", "Migrations/README.md"], swiftSettings: strict),
    .target(
      name: "FiefAsync",
      dependencies: [
        "FiefRuntime", "FiefGraph", "FiefDurability", "FiefSessions", "FiefObjects", "FiefResults", "FiefOpening",
      ],
      exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "Fief",
      dependencies: [
        "FiefValues", "FiefDurability", "FiefSessions", "FiefCopying", "FiefObjects", "FiefResults", "FiefOpening",
        "FiefAsync",
      ],
      exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "FiefViews", dependencies: ["FiefRuntime", "Fief"], exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "FiefPublishers", dependencies: ["FiefRuntime", "Fief"], exclude: ["README.md"], swiftSettings: strict),
    .target(
      name: "RealmSwift", dependencies: ["Fief", "FiefViews", "FiefPublishers", "Realm"], exclude: ["README.md"],
      swiftSettings: strict),
    .target(name: "Realm", dependencies: ["Fief"], exclude: ["README.md"], swiftSettings: strict),
    // Programs.
    .executableTarget(
      name: "FiefTool",
      dependencies: [
        "FiefRuntime", "FiefValues", "FiefGraph", "FiefDurability", "FiefSessions", "FiefQueries", "FiefCopying",
        "FiefRealmFiles",
        "Fief",
      ],
      exclude: ["README.md"],
      swiftSettings: strict),
    .executableTarget(
      name: "FiefBenchmarks",
      dependencies: [
        "FiefValues", "FiefGraph", "FiefDurability", "FiefQueries", "FiefCopying", "FiefRealmFiles", "Fief",
        "FiefRealmFileSamples",
      ],
      exclude: ["README.md"]),
    // Fuzzers: what they do with an input, and the command that runs them. `Fuzz/README.md` says how.
    .target(
      name: "FiefFuzzing",
      dependencies: [
        "FiefRuntime", "FiefValues", "FiefGraph", "FiefDurability", "FiefSessions", "FiefQueries", "FiefCopying",
        "FiefRealmFiles", "FiefRealmFileSamples", "Fief", "FiefTestSupport",
      ],
      path: "Fuzz/Harness"),
    .executableTarget(name: "FiefFuzz", dependencies: ["FiefFuzzing"], path: "Fuzz/Program"),
    // Tests mirror the rooms; the support target is what they share.
    .target(
      name: "FiefTestSupport",
      dependencies: ["FiefRuntime", "FiefValues", "FiefGraph", "FiefDurability", "FiefSessions"],
      path: "Tests/FiefTestSupport", exclude: ["README.md"]),
    .testTarget(
      name: "FiefTestSupportTests", dependencies: ["FiefSessions", "FiefTestSupport"], swiftSettings: test),
    .testTarget(name: "FiefValuesTests", dependencies: ["FiefValues", "FiefTestSupport"], swiftSettings: test),
    .testTarget(name: "FiefRuntimeTests", dependencies: ["FiefRuntime", "FiefTestSupport"], swiftSettings: test),
    .testTarget(
      name: "FiefSessionsTests",
      dependencies: ["FiefRuntime", "FiefGraph", "FiefDurability", "FiefSessions", "FiefTestSupport"],
      swiftSettings: test),
    .testTarget(
      name: "FiefGraphTests", dependencies: ["FiefRuntime", "FiefValues", "FiefGraph", "FiefTestSupport"],
      swiftSettings: test),
    .testTarget(
      name: "FiefTests",
      dependencies: [
        "Fief", "RealmSwift", "FiefRuntime", "FiefValues", "FiefGraph", "FiefDurability", "FiefSessions", "FiefQueries",
        "FiefObjects", "FiefResults", "FiefRealmFileSamples", "FiefTestSupport",
      ],
      exclude: ["README.md", "Migrations/Golden"], swiftSettings: test),
    // Apple's interface library as the wrappers use it, so that their part for it is compiled and run where it is
    // missing. The same sources are compiled a second time, with names of modules that stand for Apple's.
    .target(name: "StandInCombine", path: "Tests/StandInCombine"),
    .target(
      name: "StandInSwiftUI", dependencies: ["StandInCombine"], path: "Tests/StandInSwiftUI",
      swiftSettings: standIns),
    .target(
      name: "FiefSwiftUIViews", dependencies: ["FiefRuntime", "Fief", "StandInCombine", "StandInSwiftUI"],
      path: "Tests/FiefSwiftUIViews", exclude: ["FiefViews/README.md"], swiftSettings: standIns),
    .testTarget(
      name: "FiefSwiftUIViewsTests", dependencies: ["FiefSwiftUIViews", "StandInSwiftUI", "FiefTestSupport"],
      swiftSettings: standIns + [.unsafeFlags(["-module-alias", "RealmSwift=FiefSwiftUIViews"])] + test),
    .target(
      name: "FiefCombinePublishers", dependencies: ["FiefRuntime", "Fief", "StandInCombine"],
      path: "Tests/FiefCombinePublishers", exclude: ["FiefPublishers/README.md"], swiftSettings: standIns + strict),
    .testTarget(
      name: "FiefCombinePublishersTests",
      dependencies: ["FiefCombinePublishers", "StandInCombine", "FiefTestSupport"],
      swiftSettings: standIns + [.unsafeFlags(["-module-alias", "RealmSwift=FiefCombinePublishers"])] + test),
    .testTarget(name: "FiefViewsTests", dependencies: ["RealmSwift", "FiefTestSupport"], swiftSettings: test),
    .target(name: "OtherNames", path: "Tests/OtherNames"),
    .testTarget(name: "RealmTests", dependencies: ["Realm", "RealmSwift", "OtherNames"], swiftSettings: test),
    .executableTarget(
      name: "FiefDurabilityHelper", dependencies: ["FiefGraph", "FiefDurability"], path: "Tests/FiefDurabilityHelper"),
    .testTarget(
      name: "FiefCopyingTests",
      dependencies: ["FiefRuntime", "FiefValues", "FiefGraph", "FiefCopying", "FiefTestSupport"], swiftSettings: test),
    .testTarget(
      name: "FiefDurabilityTests",
      dependencies: [
        "FiefRuntime", "FiefValues", "FiefGraph", "FiefDurability", "FiefSessions", "FiefFuzzing", "FiefTestSupport",
        "FiefDurabilityHelper",
      ],
      exclude: ["Golden", "README.md"], swiftSettings: test),
    // Files of Realm that are written node by node.
    .target(name: "FiefRealmFileSamples", path: "Tests/FiefRealmFileSamples"),
    .testTarget(
      name: "FiefRealmFilesTests",
      dependencies: ["FiefValues", "FiefGraph", "FiefRealmFiles", "FiefRealmFileSamples", "FiefTestSupport"],
      exclude: ["Files"], swiftSettings: test),
    .testTarget(
      name: "FiefQueriesTests",
      dependencies: ["FiefRuntime", "FiefValues", "FiefGraph", "FiefQueries", "FiefTestSupport"],
      swiftSettings: test),
    // What one process may see of the system's calls, recorded and made to fail; `FiefBoundaryTests/README.md` says
    // how.
    .target(name: "FiefInterposer", path: "Tests/FiefInterposer"),
    .target(name: "FiefBoundarySupport", dependencies: ["Fief"], path: "Tests/FiefBoundarySupport"),
    .executableTarget(
      name: "FiefBoundaryHelper", dependencies: ["Fief", "FiefSessions", "FiefBoundarySupport", "FiefInterposer"],
      path: "Tests/FiefBoundaryHelper"),
    .testTarget(
      name: "FiefBoundaryTests", dependencies: ["Fief", "FiefDurability", "FiefBoundarySupport", "FiefTestSupport"],
      exclude: ["README.md"], swiftSettings: test),
    .testTarget(name: "FiefFuzzTests", dependencies: ["FiefFuzzing", "FiefTestSupport"], swiftSettings: test),
    .testTarget(
      name: "FiefToolTests",
      dependencies: [
        "FiefTool", "Fief", "RealmSwift", "FiefRuntime", "FiefGraph", "FiefDurability", "FiefRealmFileSamples",
        "FiefFuzzing",
        "FiefTestSupport",
      ],
      swiftSettings: test),
  ],
  swiftLanguageModes: [.v6]
)

// A build for a sanitizer needs few of the tests: this variable names their targets, and parts of them if not all.
//
//     FIEF_TESTS="FiefSessionsTests FiefTests=Realm,Stress,VisibleMutex.swift"
if let wanted = Context.environment["FIEF_TESTS"]?.split(separator: " ") {
  let parts = Dictionary(
    uniqueKeysWithValues: wanted.map { entry in
      let halves = entry.split(separator: "=")
      return (String(halves[0]), halves.dropFirst().first?.split(separator: ",").map(String.init))
    })
  package.targets.removeAll { $0.type == .test && !parts.keys.contains($0.name) }
  for target in package.targets { if let sources = parts[target.name] ?? nil { target.sources = sources } }
}
