import { evaluate, evaluateTarget } from './evaluate.ts'
import type { Rule, SchemaNode } from './node.ts'
import { noneFits } from './none-fits.ts'
import { has } from './object-rules.ts'
import type { Spot } from './spot.ts'

/** Rules of the subschemas that look at the same value. */
export function inPlaceRules(node: SchemaNode): readonly Rule[] {
  const { targets, allOf, anyOf, oneOf, not, dependents } = node.parts
  return [
    ...targets.map(targetRule),
    ...allOf.map(wholeRule),
    ...(anyOf.length > 0 ? [anyRule(anyOf)] : []),
    ...(oneOf.length > 0 ? [oneRule(oneOf)] : []),
    ...(not === undefined ? [] : [notRule(not)]),
    ...ifRule(node),
    ...[...dependents].map(([name, inner]) => dependentRule(name, inner)),
  ]
}

function targetRule(target: SchemaNode): Rule {
  return (spot, run) => spot.join(evaluateTarget(target, spot, run))
}

function wholeRule(inner: SchemaNode): Rule {
  return (spot, run) => spot.join(evaluate(inner, spot.value, spot.path, run))
}

// all branches are asked even when one fits: each may know further fields
function anyRule(branches: readonly SchemaNode[]): Rule {
  return (spot, run) => {
    const tried = branches.map((branch) => evaluate(branch, spot.value, spot.path, run))
    const fitting = tried.filter((one) => one.faults === undefined)
    if (fitting.length === 0) return refuseAll(spot, tried, branches)
    for (const one of fitting) spot.join(one)
  }
}

function oneRule(branches: readonly SchemaNode[]): Rule {
  return (spot, run) => {
    const tried = branches.map((branch) => evaluate(branch, spot.value, spot.path, run))
    const [first, ...others] = tried.filter((one) => one.faults === undefined)
    if (first === undefined) return refuseAll(spot, tried, branches)
    if (others.length === 0) return spot.join(first)
    spot.fault(
      'value',
      () =>
        `fits ${others.length + 1} of ${branches.length} forms of which it must fit exactly one`,
    )
  }
}

function refuseAll(spot: Spot, tried: readonly Spot[], branches: readonly SchemaNode[]): void {
  spot.isOffType = tried.every((one) => one.isOffType)
  spot.take(noneFits(tried, branches))
}

function notRule(inner: SchemaNode): Rule {
  return (spot, run) => {
    if (evaluate(inner, spot.value, spot.path, run).faults === undefined)
      spot.fault('value', () => 'is of a form that is not allowed')
  }
}

function ifRule(node: SchemaNode): readonly Rule[] {
  const { condition, whenMet, whenNotMet } = node.parts
  if (condition === undefined) return []
  return [
    (spot, run) => {
      const asked = evaluate(condition, spot.value, spot.path, run)
      if (asked.faults === undefined) spot.join(asked)
      const branch = asked.faults === undefined ? whenMet : whenNotMet
      if (branch !== undefined) spot.join(evaluate(branch, spot.value, spot.path, run))
    },
  ]
}

function dependentRule(name: string, inner: SchemaNode): Rule {
  return (spot, run) => {
    if (spot.kind !== 'object' || !has(spot.value, name)) return
    spot.join(evaluate(inner, spot.value, spot.path, run))
  }
}
