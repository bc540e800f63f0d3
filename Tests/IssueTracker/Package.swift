// swift-tools-version: 6.2
import PackageDescription

// In a copy of this folder, `path` says where Fief is.
let package = Package(
  name: "IssueTracker",
  platforms: [.macOS(.v15)],
  products: [.library(name: "IssueTracker", targets: ["IssueTracker"])],
  dependencies: [.package(name: "Fief", path: "../..")],
  targets: [
    .target(name: "IssueTracker", dependencies: [.product(name: "RealmSwift", package: "Fief")]),
    .executableTarget(name: "tracker", dependencies: ["IssueTracker"]),
    .testTarget(name: "IssueTrackerTests", dependencies: ["IssueTracker"]),
  ],
  swiftLanguageModes: [.v6]
)
