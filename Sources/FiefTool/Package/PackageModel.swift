import Fief

// The classes for the description of a package.

/// A Swift package.
class Package: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var path = ""
  @Persisted var toolsVersion: String?
  @Persisted var languageVersions: List<String>
  @Persisted var platforms: List<Platform>
  @Persisted var dependencies: List<Dependency>
  @Persisted var products: List<Product>
  @Persisted var targets: List<Target>
}

/// A platform that a package supports.
class Platform: EmbeddedObject {
  @Persisted var name = ""
  @Persisted var version = ""
}

/// Another package on which a package depends.
class Dependency: EmbeddedObject {
  @Persisted var identity = ""
  @Persisted var kind = ""
  @Persisted var place: String?
  @Persisted var requirement: AnyRealmValue
}

/// A product of a package.
class Product: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var kind: AnyRealmValue
  @Persisted var targets: List<Target>
}

/// A target of a package.
class Target: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted(indexed: true) var kind = ""
  @Persisted var moduleName = ""
  @Persisted var path = ""
  @Persisted var sources: List<Source>
  @Persisted var dependencies: List<Target>
  @Persisted(originProperty: "dependencies") var users: LinkingObjects<Target>
  @Persisted(originProperty: "targets") var products: LinkingObjects<Product>
}

/// A source file.
class Source: EmbeddedObject {
  @Persisted var path = ""
}

extension Package {
  static let classes: [ObjectBase.Type] = [
    Package.self, Platform.self, Dependency.self, Product.self, Target.self, Source.self,
  ]
}
