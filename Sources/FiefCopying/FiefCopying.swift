// FiefCopying: create(value:), copies across stores and the detection of cycles.
// What will stand here, and on what it may stand, is in README.md beside this file.
import FiefGraph
import FiefValues
