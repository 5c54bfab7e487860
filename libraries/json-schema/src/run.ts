import { BOUNDS } from './bounds.ts'
import type { Evaluation } from './evaluation.ts'
import type { SchemaNode } from './node.ts'

/** Thrown when validation exceeds its budget; caught in `parse`. */
export class TooMuchWork extends Error {}

/** The state of one parse: the remaining budget and cached results. */
export class Run {
  private steps: number
  private readonly limit: number
  private nesting = 0
  private readonly known = new Map<SchemaNode, Map<object, Evaluation>>()

  constructor(limit: number = BOUNDS.steps, steps = 0) {
    this.limit = limit
    this.steps = steps
  }

  get spent(): number {
    return this.steps
  }

  /** Counts work; a step is about one comparison. */
  spend(steps: number): void {
    this.steps += steps
    if (this.steps > this.limit)
      throw new TooMuchWork('is too much work to check against this schema')
  }

  enter(): void {
    if (++this.nesting > BOUNDS.nesting)
      throw new TooMuchWork('is nested too deeply to be checked against this schema')
    this.spend(1)
  }

  leave(): void {
    this.nesting--
  }

  // Without this cache a schema that refers to itself twice per level takes 2^depth steps.
  recall(node: SchemaNode, value: object): Evaluation | undefined {
    return this.known.get(node)?.get(value)
  }

  remember(node: SchemaNode, value: object, evaluation: Evaluation): void {
    const evaluations = this.known.get(node)
    if (evaluations === undefined) this.known.set(node, new Map([[value, evaluation]]))
    else evaluations.set(value, evaluation)
  }

  /** A new run with the same budget, for a value that has changed. */
  again(): Run {
    return new Run(this.limit, this.steps)
  }
}
