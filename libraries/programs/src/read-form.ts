import { Buffer } from 'node:buffer'
import { guardJson } from '@surehand/core/host'
import { fieldName } from '@surehand/core/internal'
import type { z } from 'zod'
import type { Findings } from './findings.ts'
import { type Program, ProgramForm, type ProgramStep, STEP_KINDS } from './program-form.ts'

const MOST_BYTES = 1_048_576
const MOST_STEPS = 500
const DEEPEST = 16

/** The form as it comes from outside; undefined where it is none, which has been told. */
export function readForm(written: unknown, findings: Findings): Program | undefined {
  guardJson(written, MOST_BYTES)
  if (Buffer.byteLength(JSON.stringify(written) ?? '') > MOST_BYTES) {
    findings.refuse('', `is larger than ${MOST_BYTES} bytes: make several of it`)
    return undefined
  }
  const parsed = ProgramForm.safeParse(written)
  if (!parsed.success) {
    for (const issue of parsed.error.issues) tell(issue, [], written, findings)
    return undefined
  }
  const program = parsed.data as Program
  const all = nestedSteps(program.steps)
  if (all.length > MOST_STEPS)
    findings.refuse(
      'steps',
      `are ${all.length}, and ${MOST_STEPS} is the end: make a program of a part of them and call it`,
    )
  if (all.some(({ depth }) => depth > DEEPEST))
    findings.refuse(
      'steps',
      `stand within each other more than ${DEEPEST} deep: make a program of the inner ones and call it`,
    )
  return findings.flaws().length === 0 ? program : undefined
}

/** Every step of a program, with how deep it stands. */
export function nestedSteps(
  steps: readonly ProgramStep[],
  depth = 1,
): readonly { readonly step: ProgramStep; readonly depth: number }[] {
  return steps.flatMap((step) => [
    { step, depth },
    ...innerLists(step).flatMap((list) => nestedSteps(list, depth + 1)),
  ])
}

function innerLists(step: ProgramStep): readonly (readonly ProgramStep[])[] {
  if ('parallel' in step) return Object.values(step.parallel)
  if ('each' in step) return [step.steps]
  return 'choose' in step ? step.choose.map((choice) => choice.steps) : []
}

type Path = readonly PropertyKey[]

// of a union only the intended branch is reported: eight ways in which a step is invalid would not
// help
function tell(issue: z.core.$ZodIssue, above: Path, written: unknown, findings: Findings): void {
  const path = [...above, ...issue.path]
  const value = valueAt(written, path)
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys)
      findings.refuse(
        fieldName([...path, key]),
        'is not a field that belongs here: leave it out',
        valueAt(value, [key]),
      )
  } else if (issue.code === 'invalid_union') {
    const meant = meantBy(value, issue.errors)
    if (typeof meant === 'string') findings.refuse(fieldName(path), meant, value)
    else for (const inner of meant) tell(inner, path, written, findings)
  } else {
    const isMissing = value === undefined && path.length > 0
    const error = issue.message
      .replace(/^Invalid (input|option|string): /, '')
      .replace(/, received undefined$/, '')
    findings.refuse(fieldName(path), isMissing ? `is missing: ${error}` : error, value)
  }
}

const COMPARISONS = ['equals', 'not', 'in', 'lessThan', 'moreThan', 'exists']
const GROUPS = ['all', 'any', 'not']

function meantBy(
  value: unknown,
  branches: readonly (readonly z.core.$ZodIssue[])[],
): readonly z.core.$ZodIssue[] | string {
  if (branches.length === STEP_KINDS.length)
    return (
      branchNamed(value, branches, STEP_KINDS) ??
      `is no step: it has one of ${STEP_KINDS.join(', ')}, beside its id`
    )
  if (branches.length === COMPARISONS.length + GROUPS.length) {
    const isComparison = typeof value === 'object' && value !== null && '$ref' in value
    const [names, own] = isComparison
      ? [COMPARISONS, branches]
      : [GROUPS, branches.slice(COMPARISONS.length)]
    return (
      branchNamed(value, own, names) ??
      `is no condition: write { "$ref": … } with one of ${COMPARISONS.join(', ')}, or one of ${GROUPS.join(', ')}`
    )
  }
  return branches.at(-1) ?? 'is none of what it may be'
}

function branchNamed(
  value: unknown,
  branches: readonly (readonly z.core.$ZodIssue[])[],
  names: readonly string[],
): readonly z.core.$ZodIssue[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const [only, ...others] = names.flatMap((name, index) =>
    Object.hasOwn(value, name) ? [index] : [],
  )
  return only === undefined || others.length > 0 ? undefined : branches[only]
}

function valueAt(value: unknown, path: Path): unknown {
  let current = value
  for (const step of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step))
      return undefined
    current = (current as Readonly<Record<PropertyKey, unknown>>)[step]
  }
  return current
}
