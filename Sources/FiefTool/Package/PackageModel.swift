import Fief

// The classes that the description of a package is read into.

/// A package of Swift.
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

/// A system that a package is for.
class Platform: EmbeddedObject {
  @Persisted var name = ""
  @Persisted var version = ""
}

/// Another package that one depends on.
class Dependency: EmbeddedObject {
  @Persisted var identity = ""
  @Persisted var kind = ""
  @Persisted var place: String?
  @Persisted var requirement: AnyRealmValue
}

/// What a package offers.
class Product: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var kind: AnyRealmValue
  @Persisted var targets: List<Target>
}

/// What a package is made of.
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

/// A file of source text.
class Source: EmbeddedObject {
  @Persisted var path = ""
}

extension Package {
  static let classes: [ObjectBase.Type] = [
    Package.self, Platform.self, Dependency.self, Product.self, Target.self, Source.self,
  ]
}
