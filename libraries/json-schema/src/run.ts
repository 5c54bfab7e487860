import { BOUNDS } from './bounds.ts'
import type { SchemaNode } from './node.ts'
import type { Spot } from './spot.ts'

/** Thrown when a value is more work than it may be; never leaves `parse`. */
export class TooMuchWork extends Error {}

/** The work of one parse: what it has cost, and what is known already. */
export class Run {
  private steps: number
  private readonly limit: number
  private nesting = 0
  private readonly known = new Map<SchemaNode, Map<object, Spot>>()

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

  // without this a schema that refers to itself twice a level takes 2^depth steps
  recall(node: SchemaNode, value: object): Spot | undefined {
    return this.known.get(node)?.get(value)
  }

  remember(node: SchemaNode, value: object, spot: Spot): void {
    const spots = this.known.get(node)
    if (spots === undefined) this.known.set(node, new Map([[value, spot]]))
    else spots.set(value, spot)
  }

  /** The same budget for a value that has changed. */
  again(): Run {
    return new Run(this.limit, this.steps)
  }
}
