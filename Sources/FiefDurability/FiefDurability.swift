// FiefDurability: the codec, the snapshot and journal files, recovery and locks.
// What will stand here, and on what it may stand, is in README.md beside this file.
import FiefGraph
import FiefValues
