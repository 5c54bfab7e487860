import type { Problem } from '@surehand/core/internal'
import { BOUNDS } from './bounds.ts'

/** A place in a value, as a linked list back to the root. */
export type Path = { readonly up: Path; readonly step: string | number } | undefined

/** The JSON type of a value; `other` is not JSON. */
export type Kind = 'string' | 'number' | 'boolean' | 'null' | 'array' | 'object' | 'other'

/** One fault. Its message is built only when it is needed. */
export type Fault = {
  readonly kind: Problem['kind']
  readonly path: Path
  readonly say: () => string
  /** The values that a const or enum accepts; used to recognize the intended branch of a union. */
  readonly allowed?: readonly unknown[]
}

/** The result of evaluating one value against one subschema. */
export class Evaluation {
  readonly value: unknown
  readonly kind: Kind
  readonly path: Path
  faults: Fault[] | undefined
  /** The type is wrong, so further faults would only repeat that. */
  isOffType = false
  /** Evaluations of other subschemas that accepted the same value. */
  agreeing: Evaluation[] | undefined
  /** Evaluations of members and items that are objects or lists. */
  members: Map<string | number, Evaluation> | undefined
  /** Names that this subschema evaluates; `all` if it applies to every name. */
  names: Set<string> | 'all' | undefined
  /** Names that it requires without describing their values. */
  mentioned: ReadonlySet<string> | undefined
  /** Whether it lists fields, so that others are unknown. */
  lists = false
  /** Number of items from the start that it evaluates. */
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

  /** Adds the result of another subschema for the same value. */
  join(other: Evaluation): void {
    if (other.isOffType) this.isOffType = true
    if (other.faults !== undefined) {
      this.take(other.faults)
    } else {
      this.agreeing ??= []
      this.agreeing.push(other)
    }
  }

  /** Adds the result for a member. */
  joinMember(step: string | number, other: Evaluation): void {
    if (other.faults !== undefined) {
      this.take(other.faults)
    } else if (other.kind === 'object' || other.kind === 'array') {
      this.members ??= new Map()
      this.members.set(step, other)
    }
  }

  /** This evaluation and all accepted ones of the same value, once each. */
  together(): readonly Evaluation[] {
    if (this.agreeing === undefined) return [this]
    const all = new Set<Evaluation>([this])
    for (const evaluation of all) for (const other of evaluation.agreeing ?? []) all.add(other)
    return [...all]
  }
}

/**
 * A plain object or array, null, a text, a boolean or a finite number is JSON; an instance of a
 * class is not.
 */
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
      return isPlainValue(value) ? 'object' : 'other'
    default:
      return 'other'
  }
}

// The prototype of Object.prototype is null in every realm.
function isPlainValue(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
