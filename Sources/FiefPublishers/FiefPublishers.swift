// Publishers are used with models and realms, so this module alone makes both visible.
@_exported import Fief
