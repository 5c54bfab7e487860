import { Evaluation, type Path } from './evaluation.ts'
import { describeExpected } from './expectation.ts'
import type { SchemaNode } from './node.ts'
import type { Run } from './run.ts'

/** Evaluates a value against a subschema. */
export function evaluate(node: SchemaNode, value: unknown, path: Path, run: Run): Evaluation {
  run.enter()
  const evaluation = new Evaluation(value, path)
  if (evaluation.kind === 'other') refuse(evaluation, node)
  else
    for (const rule of node.rules) {
      rule(evaluation, run)
      if (evaluation.isOffType) break
    }
  run.leave()
  return evaluation
}

/** The same for the target of a reference; a previous result for the same value is reused. */
export function evaluateTarget(node: SchemaNode, from: Evaluation, run: Run): Evaluation {
  const { value, path } = from
  if (typeof value !== 'object' || value === null) return evaluate(node, value, path, run)
  const known = run.recall(node, value)
  if (known !== undefined) return known
  const evaluation = evaluate(node, value, path, run)
  run.remember(node, value, evaluation)
  return evaluation
}

function refuse(evaluation: Evaluation, node: SchemaNode): void {
  evaluation.fault('type', () => describeExpected(node))
  evaluation.isOffType = true
}
