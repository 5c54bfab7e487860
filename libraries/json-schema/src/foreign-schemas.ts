import { visibleText } from '@surehand/core/host'
import {
  CanonicalText,
  canonicalInTurns,
  canonicalJson,
  fieldName,
  HIDDEN,
  type JsonSchema,
  type Parsed,
  type Problem,
  redact,
  type Schema,
  type Shape,
} from '@surehand/core/internal'
import { analyzeSchema, type Loss } from './analyze-schema.ts'
import { describeUnknownField } from './array-and-object-rules.ts'
import { evaluate } from './evaluate.ts'
import type { Evaluation, Fault } from './evaluation.ts'
import { kindOf, type Path } from './evaluation.ts'
import { clip } from './expectation.ts'
import { fillDefaults } from './fill-defaults.ts'
import { Graph } from './node.ts'
import { createPatterns } from './patterns.ts'
import { readShape } from './read-shape.ts'
import { Run, TooMuchWork } from './run.ts'

const KINDS = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  null: 'null',
  array: 'an array',
  object: 'an object',
  other: 'something that is not JSON',
}

/** Converts faults to the problems that the pipeline reports, with secrets hidden. */
function toProblems(faults: readonly Fault[], value: unknown, shape: Shape): readonly Problem[] {
  const shown = redact(shape, value)
  const problems = faults.map((fault) => toProblem(fault, value, shown))
  // Two branches may report the same problem.
  const keys = problems.map(({ field, error }) => `${field}\n${error}`)
  return problems.filter((_, index) => keys.indexOf(keys[index] ?? '') === index)
}

function toProblem({ kind, path, say }: Fault, value: unknown, shown: unknown): Problem {
  const steps = listSteps(path)
  // A key may be as long as the whole input, so it is clipped.
  const field = visibleText(
    fieldName(steps.map((step) => (typeof step === 'string' ? clip(step, 200) : step))),
  )
  const words =
    kind === 'type' ? `expected ${say()}, got ${describeGiven(valueAt(value, steps))}` : say()
  return {
    kind,
    field,
    error: visibleText(words),
    provided_value: kind === 'missing' ? null : shownAt(shown, steps),
  }
}

function describeGiven(value: unknown): string {
  if (value === undefined) return 'nothing'
  return typeof value === 'number' && !Number.isInteger(value) ? 'a fraction' : KINDS[kindOf(value)]
}

function listSteps(path: Path): readonly (string | number)[] {
  const steps: (string | number)[] = []
  for (let at = path; at !== undefined; at = at.up) steps.push(at.step)
  return steps.reverse()
}

// Inside a secret only the placeholder is shown.
function shownAt(shown: unknown, steps: readonly (string | number)[]): unknown {
  const isWithinSecret = steps.some((_, index) => valueAt(shown, steps.slice(0, index)) === HIDDEN)
  return isWithinSecret ? HIDDEN : (valueAt(shown, steps) ?? null)
}

function valueAt(value: unknown, steps: readonly (string | number)[]): unknown {
  let current = value
  for (const step of steps) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step))
      return undefined
    current = (current as Readonly<Record<string | number, unknown>>)[step]
  }
  return current
}

export type { Loss } from './analyze-schema.ts'

export type ForeignSchemasOptions = {
  /**
   * If given, a `pattern` that cannot run in linear time is left out and reported here; otherwise
   * its schema is refused.
   */
  readonly onLoss?: (loss: Loss) => void
}

/** The same options as for zod schemas. */
export type ForeignSchemaOptions = {
  /** Top-level fields that are not part of a call's hash, such as the idempotency key. */
  readonly omitFromHash?: ReadonlySet<string>
  /** Unknown top-level keys are refused, not stripped. */
  readonly refuseUnknown?: boolean
}

/** Implements core's `ForeignSchemas` port, with options. */
export type ForeignSchemaCompiler = {
  readonly compile: (schema: JsonSchema, options?: ForeignSchemaOptions) => Schema
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
// Stripping unknown keys can make further keys unknown. A value that is not stable after this many
// rounds is refused.
const ROUNDS = 4

/**
 * Compiles JSON Schema 2020-12. A schema is checked at once for anything that could not run safely,
 * and compiled on first use.
 */
export function foreignSchemas(options: ForeignSchemasOptions = {}): ForeignSchemaCompiler {
  const patterns = createPatterns()
  return {
    compile: (schema, choices = {}) =>
      foreignSchema(new Graph(analyzeSchema(schema, { ...options, patterns })), schema, choices),
  }
}

function foreignSchema(
  graph: Graph,
  schema: JsonSchema,
  { omitFromHash, refuseUnknown = false }: ForeignSchemaOptions,
): Schema {
  let shape: Shape | undefined
  const shapeNow = () => {
    shape ??= readShape(graph.root)
    return shape
  }
  return {
    isForeign: true,
    get shape() {
      return shapeNow()
    },
    parse(value) {
      const read = parse(graph, value, refuseUnknown)
      return read.ok ? read : { ok: false, problems: read.problems(shapeNow()) }
    },
    write: (value) =>
      new CanonicalText(
        canonicalJson(omitFromHash === undefined ? value : omitFields(value, omitFromHash)),
      ),
    writeInTurns: (value, pace) =>
      canonicalInTurns(omitFromHash === undefined ? value : omitFields(value, omitFromHash), pace),
    toJson: () => (Object.hasOwn(schema, '$schema') ? schema : { $schema: DIALECT, ...schema }),
  }
}

type Read =
  | Extract<Parsed<unknown>, { ok: true }>
  | { readonly ok: false; readonly problems: (shape: Shape) => readonly Problem[] }

function parse(graph: Graph, value: unknown, refuseUnknown: boolean): Read {
  let current = value
  try {
    let run = new Run()
    if (graph.analysis.hasDefaults) current = fillDefaults(graph.root, current, run)
    for (let round = 0; round < ROUNDS; round++) {
      const evaluation = evaluate(graph.root, current, undefined, run)
      const faults = evaluation.faults ?? (refuseUnknown ? unknownFaults(evaluation) : undefined)
      if (faults !== undefined) return invalid(faults, current)
      const kept = stripUnknown([evaluation], current)
      if (kept === current || !graph.analysis.shrinkingMayInvalidate)
        return { ok: true, value: kept }
      current = kept
      run = run.again()
    }
    return tooMuchWork('changes its meaning with every unknown key that is left out')
  } catch (error) {
    if (error instanceof TooMuchWork) return tooMuchWork(error.message)
    throw error
  }
}

function invalid(faults: readonly Fault[], value: unknown): Read {
  return { ok: false, problems: (shape) => toProblems(faults, value, shape) }
}

function unknownFaults(evaluation: Evaluation): readonly Fault[] | undefined {
  if (evaluation.kind !== 'object') return undefined
  const unknown = unknownKeys(evaluation.together(), evaluation.value as object)
  if (unknown.length === 0) return undefined
  return unknown.map((step) => ({
    kind: 'unknown',
    path: { up: undefined, step },
    say: describeUnknownField,
  }))
}

// The value is not repeated in the message, because it was too large.
function tooMuchWork(error: string): Read {
  return { ok: false, problems: () => [{ kind: 'value', field: '', error, provided_value: null }] }
}

function omitFields(value: unknown, omitted: ReadonlySet<string>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => !omitted.has(name)))
}

/** Removes keys that no subschema knows; returns the same object if there are none. */
function stripUnknown(evaluations: readonly Evaluation[], value: unknown): unknown {
  if (evaluations.length === 0 || typeof value !== 'object' || value === null) return value
  const [first] = evaluations
  const together =
    evaluations.length === 1 && first !== undefined
      ? first.together()
      : [...new Set(evaluations.flatMap((evaluation) => evaluation.together()))]
  if (Array.isArray(value)) return stripItems(together, value)
  return stripFields(together, value as Readonly<Record<string, unknown>>)
}

/** The keys of an object that no subschema knows. */
function unknownKeys(together: readonly Evaluation[], value: object): readonly string[] {
  if (
    !together.some((evaluation) => evaluation.lists) ||
    together.some((evaluation) => evaluation.names === 'all')
  )
    return []
  return Object.keys(value).filter(
    (name) => !together.some((evaluation) => knows(evaluation, name)),
  )
}

function knows({ names, mentioned }: Evaluation, name: string): boolean {
  return names === 'all' || names?.has(name) === true || mentioned?.has(name) === true
}

function stripFields(
  together: readonly Evaluation[],
  value: Readonly<Record<string, unknown>>,
): unknown {
  const unknown = new Set(unknownKeys(together, value))
  let isSame = unknown.size === 0
  const entries: [string, unknown][] = []
  for (const name of Object.keys(value)) {
    if (unknown.has(name)) continue
    const member = value[name]
    const kept =
      typeof member === 'object' ? stripUnknown(membersAt(together, name), member) : member
    isSame &&= kept === member
    entries.push([name, kept])
  }
  return isSame ? value : Object.fromEntries(entries)
}

function stripItems(together: readonly Evaluation[], items: readonly unknown[]): unknown {
  let kept: unknown[] | undefined
  for (let index = 0; index < items.length; index++) {
    if (typeof items[index] !== 'object') continue
    const item = stripUnknown(membersAt(together, index), items[index])
    if (item === items[index]) continue
    kept ??= [...items]
    kept[index] = item
  }
  return kept ?? items
}

function membersAt(together: readonly Evaluation[], step: string | number): readonly Evaluation[] {
  return together.flatMap((evaluation) => evaluation.members?.get(step) ?? [])
}
