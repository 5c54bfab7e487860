import { evaluate, evaluateTarget } from './evaluate.ts'
import type { Evaluation, Fault, Path } from './evaluation.ts'
import { describeExpected, valueList } from './expectation.ts'
import type { Rule, SchemaNode } from './node.ts'
import { hasMember } from './array-and-object-rules.ts'

/** Rules of subschemas that are evaluated against the same value. */
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
  return (evaluation, run) => evaluation.join(evaluateTarget(target, evaluation, run))
}

function wholeRule(inner: SchemaNode): Rule {
  return (evaluation, run) =>
    evaluation.join(evaluate(inner, evaluation.value, evaluation.path, run))
}

// All branches are evaluated even if one matches, because each may know further fields.
function anyRule(branches: readonly SchemaNode[]): Rule {
  return (evaluation, run) => {
    const tried = branches.map((branch) => evaluate(branch, evaluation.value, evaluation.path, run))
    const fitting = tried.filter((one) => one.faults === undefined)
    if (fitting.length === 0) return refuseAll(evaluation, tried, branches)
    for (const one of fitting) evaluation.join(one)
  }
}

function oneRule(branches: readonly SchemaNode[]): Rule {
  return (evaluation, run) => {
    const tried = branches.map((branch) => evaluate(branch, evaluation.value, evaluation.path, run))
    const [first, ...others] = tried.filter((one) => one.faults === undefined)
    if (first === undefined) return refuseAll(evaluation, tried, branches)
    if (others.length === 0) return evaluation.join(first)
    evaluation.fault(
      'value',
      () =>
        `fits ${others.length + 1} of ${branches.length} forms of which it must fit exactly one`,
    )
  }
}

function refuseAll(
  evaluation: Evaluation,
  tried: readonly Evaluation[],
  branches: readonly SchemaNode[],
): void {
  evaluation.isOffType = tried.every((one) => one.isOffType)
  evaluation.take(describeNoMatch(tried, branches))
}

function notRule(inner: SchemaNode): Rule {
  return (evaluation, run) => {
    if (evaluate(inner, evaluation.value, evaluation.path, run).faults === undefined)
      evaluation.fault('value', () => 'is of a form that is not allowed')
  }
}

function ifRule(node: SchemaNode): readonly Rule[] {
  const { condition, whenMet, whenNotMet } = node.parts
  if (condition === undefined) return []
  return [
    (evaluation, run) => {
      const asked = evaluate(condition, evaluation.value, evaluation.path, run)
      if (asked.faults === undefined) evaluation.join(asked)
      const branch = asked.faults === undefined ? whenMet : whenNotMet
      if (branch !== undefined)
        evaluation.join(evaluate(branch, evaluation.value, evaluation.path, run))
    },
  ]
}

function dependentRule(name: string, inner: SchemaNode): Rule {
  return (evaluation, run) => {
    if (evaluation.kind !== 'object' || !hasMember(evaluation.value, name)) return
    evaluation.join(evaluate(inner, evaluation.value, evaluation.path, run))
  }
}

/**
 * The faults to report if no branch of a union matches: those of the intended branch, if it can be
 * recognized.
 */
function describeNoMatch(
  tried: readonly Evaluation[],
  branches: readonly SchemaNode[],
): readonly Fault[] {
  const [first] = tried
  if (first === undefined) return []
  const ofType = tried.filter((evaluation) => !evaluation.isOffType)
  if (ofType.length === 0) return [{ kind: 'type', path: first.path, say: () => orList(branches) }]
  const meant = ofType.filter((evaluation) =>
    evaluation.faults?.every((fault) => fault.allowed === undefined),
  )
  if (meant.length === 0) return [findDiscriminator(ofType) ?? describeAnyBranch(first, branches)]
  const fewest = Math.min(...meant.map((evaluation) => evaluation.faults?.length ?? 0))
  const closest = meant.filter((evaluation) => evaluation.faults?.length === fewest)
  return closest.length === 1 ? (closest[0]?.faults ?? []) : [describeAnyBranch(first, branches)]
}

// If every branch expects another constant at the same place, that field is the discriminator.
function findDiscriminator(tried: readonly Evaluation[]): Fault | undefined {
  const choices = tried.map((evaluation) =>
    evaluation.faults?.find((fault) => fault.allowed !== undefined),
  )
  const path = choices[0]?.path
  if (!choices.every((choice) => choice !== undefined && isSamePath(choice.path, path)))
    return undefined
  const allowed = [...new Set(choices.flatMap((choice) => choice?.allowed ?? []))]
  return { kind: 'value', path, say: () => `must be ${valueList(allowed)}`, allowed }
}

function isSamePath(left: Path, right: Path): boolean {
  if (left === undefined || right === undefined) return left === right
  return left.step === right.step && isSamePath(left.up, right.up)
}

function describeAnyBranch(evaluation: Evaluation, branches: readonly SchemaNode[]): Fault {
  return {
    kind: 'value',
    path: evaluation.path,
    say: () => `fits none of the ${branches.length} allowed forms: ${orList(branches)}`,
  }
}

function orList(branches: readonly SchemaNode[]): string {
  const words = [...new Set(branches.slice(0, 8).map((branch) => describeExpected(branch)))]
  return words.length > 1
    ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
    : (words[0] ?? 'a value')
}
