import type { Problem } from '@surehand/core/internal'
import { BOUNDS } from './bounds.ts'

/** Where in a value: the way back to its root. */
export type Path = { readonly up: Path; readonly step: string | number } | undefined

/** What a value is, as JSON sees it; `other` is not JSON. */
export type Kind = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object' | 'other'

/** One thing that is wrong, told only when somebody asks. */
export type Fault = {
  readonly kind: Problem['kind']
  readonly path: Path
  readonly say: () => string
  /** The values a constant or an enum would have taken: tells which branch of a union was meant. */
  readonly allowed?: readonly unknown[]
}

/** What one subschema found out about one value. */
export class Spot {
  readonly value: unknown
  readonly kind: Kind
  readonly path: Path
  faults: Fault[] | undefined
  /** The type is wrong, so that every further complaint would only repeat it. */
  isOffType = false
  /** Subschemas that looked at the same value and were content with it. */
  agreeing: Spot[] | undefined
  /** What was found out about members and items that have members themselves. */
  members: Map<string | number, Spot> | undefined
  /** Names this subschema knows; `all` when it says something about every name. */
  names: Set<string> | 'all' | undefined
  /** Names it asks for without saying what they hold. */
  mentioned: ReadonlySet<string> | undefined
  /** Does it list fields, so that others are unknown? */
  lists = false
  /** Items it knows: so many from the start, and these. */
  itemCount = 0
  items: Set<number> | undefined

  constructor(value: unknown, path: Path) {
    this.value = value
    this.kind = kindOf(value)
    this.path = path
  }

  fault(kind: Fault['kind'], say: () => string, path: Path = this.path): void {
    this.faults ??= []
    if (this.faults.length < BOUNDS.problems) this.faults.push({ kind, path, say })
  }

  take(faults: readonly Fault[]): void {
    this.faults ??= []
    for (const fault of faults.slice(0, BOUNDS.problems - this.faults.length))
      this.faults.push(fault)
  }

  /** Takes over what another subschema found out about the same value. */
  join(other: Spot): void {
    if (other.isOffType) this.isOffType = true
    if (other.faults !== undefined) {
      this.take(other.faults)
    } else {
      this.agreeing ??= []
      this.agreeing.push(other)
    }
  }

  /** Takes over what was found out about a member. */
  joinMember(step: string | number, other: Spot): void {
    if (other.faults !== undefined) {
      this.take(other.faults)
    } else if (other.kind === 'object' || other.kind === 'array') {
      this.members ??= new Map()
      this.members.set(step, other)
    }
  }

  /** This and all that agree with it, once each. */
  together(): readonly Spot[] {
    if (this.agreeing === undefined) return [this]
    const all = new Set<Spot>([this])
    for (const spot of all) for (const other of spot.agreeing ?? []) all.add(other)
    return [...all]
  }
}

/** A plain object or array, null, a text, a boolean or a finite number is JSON; an instance of a class is not. */
export function kindOf(value: unknown): Kind {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'boolean':
      return 'boolean'
    case 'number':
      return Number.isFinite(value) ? 'number' : 'other'
    case 'object':
      if (value === null) return 'null'
      if (Array.isArray(value)) return 'array'
      return isPlain(value) ? 'object' : 'other'
    default:
      return 'other'
  }
}

// the parent of Object.prototype is null in every realm
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
