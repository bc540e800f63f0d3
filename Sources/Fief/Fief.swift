// `import Fief` alone makes Foundation's names (Data, Date, UUID, URL) and the value types visible, as the
// original's import does.
@_exported import FiefValues
@_exported import Foundation
