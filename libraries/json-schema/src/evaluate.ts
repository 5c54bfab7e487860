import { expectation } from './expectation.ts'
import type { SchemaNode } from './node.ts'
import type { Run } from './run.ts'
import { type Path, Spot } from './spot.ts'

/** Holds a value against a subschema. */
export function evaluate(node: SchemaNode, value: unknown, path: Path, run: Run): Spot {
  run.enter()
  const spot = new Spot(value, path)
  if (spot.kind === 'other') refuse(spot, node)
  else
    for (const rule of node.rules) {
      rule(spot, run)
      if (spot.isOffType) break
    }
  run.leave()
  return spot
}

/** The same for the target of a reference, where the question may have been asked before. */
export function evaluateTarget(node: SchemaNode, from: Spot, run: Run): Spot {
  const { value, path } = from
  if (typeof value !== 'object' || value === null) return evaluate(node, value, path, run)
  const known = run.recall(node, value)
  if (known !== undefined) return known
  const spot = evaluate(node, value, path, run)
  run.remember(node, value, spot)
  return spot
}

function refuse(spot: Spot, node: SchemaNode): void {
  spot.fault('type', () => expectation(node))
  spot.isOffType = true
}
