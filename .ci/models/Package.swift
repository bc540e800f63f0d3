// swift-tools-version: 6.2
import PackageDescription

// Models in a library of their own and a program with an asynchronous `main`, as applications have them.
let package = Package(
  name: "Models",
  dependencies: [.package(path: "../fief")],
  targets: [
    .target(
      name: "Kennel", dependencies: [.product(name: "RealmSwift", package: "fief")],
      swiftSettings: [.treatAllWarnings(as: .error), .enableUpcomingFeature("MemberImportVisibility")]),
    .executableTarget(
      name: "Program", dependencies: ["Kennel", .product(name: "RealmSwift", package: "fief")],
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)
