import {
  canonicalJson,
  type JsonSchema,
  type Parsed,
  type Problem,
  type Schema,
  type Shape,
} from '@surehand/core/internal'
import { evaluate } from './evaluate.ts'
import { fill } from './fill.ts'
import { Graph } from './node.ts'
import { unknownField } from './object-rules.ts'
import { createPatterns } from './patterns.ts'
import { Run, TooMuchWork } from './run.ts'
import { shapeOf } from './shape-of.ts'
import type { Fault, Spot } from './spot.ts'
import { strip, unknownKeys } from './strip.ts'
import { type Loss, survey } from './survey.ts'
import { toProblems } from './to-problems.ts'

export type { Loss } from './survey.ts'

export type ForeignSchemasOptions = {
  /** Given, a `pattern` that has no linear-time form is left out and told here; otherwise its schema is refused. */
  readonly onLoss?: (loss: Loss) => void
}

/** The same choices as for schemas of our own. */
export type ForeignSchemaOptions = {
  /** Top-level fields that are no part of what a call means, such as the idempotency key. */
  readonly omitFromHash?: ReadonlySet<string>
  /** Unknown top-level keys are refused, not stripped. */
  readonly refuseUnknown?: boolean
}

/** The port of core, with choices. */
export type ForeignSchemaCompiler = {
  readonly compile: (schema: JsonSchema, options?: ForeignSchemaOptions) => Schema
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
// stripping only ever takes away, so a value settles; a schema that makes it settle slower than this is refusing it
const ROUNDS = 4

/** Makes schemas out of JSON Schema 2020-12: checked at once for what could not be run safely, compiled when first used. */
export function foreignSchemas(options: ForeignSchemasOptions = {}): ForeignSchemaCompiler {
  const patterns = createPatterns()
  return {
    compile: (schema, choices = {}) =>
      foreignSchema(new Graph(survey(schema, { ...options, patterns })), schema, choices),
  }
}

function foreignSchema(
  graph: Graph,
  schema: JsonSchema,
  { omitFromHash, refuseUnknown = false }: ForeignSchemaOptions,
): Schema {
  let shape: Shape | undefined
  const shapeNow = () => {
    shape ??= shapeOf(graph.root)
    return shape
  }
  return {
    get shape() {
      return shapeNow()
    },
    parse(value) {
      const read = parse(graph, value, refuseUnknown)
      return read.ok ? read : { ok: false, problems: read.problems(shapeNow()) }
    },
    write: (value) =>
      canonicalJson(omitFromHash === undefined ? value : without(value, omitFromHash)),
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
    if (graph.survey.hasDefaults) current = fill(graph.root, current, run)
    for (let round = 0; round < ROUNDS; round++) {
      const spot = evaluate(graph.root, current, undefined, run)
      const faults = spot.faults ?? (refuseUnknown ? unknownFaults(spot) : undefined)
      if (faults !== undefined) return wrong(faults, current)
      const kept = strip([spot], current)
      if (kept === current || !graph.survey.isDelicate) return { ok: true, value: kept }
      current = kept
      run = run.again()
    }
    return tooMuch('changes its meaning with every unknown key that is left out')
  } catch (error) {
    if (error instanceof TooMuchWork) return tooMuch(error.message)
    throw error
  }
}

function wrong(faults: readonly Fault[], value: unknown): Read {
  return { ok: false, problems: (shape) => toProblems(faults, value, shape) }
}

function unknownFaults(spot: Spot): readonly Fault[] | undefined {
  if (spot.kind !== 'object') return undefined
  const unknown = unknownKeys(spot.together(), spot.value as object)
  if (unknown.length === 0) return undefined
  return unknown.map((step) => ({
    kind: 'unknown',
    path: { up: undefined, step },
    say: unknownField,
  }))
}

// the value itself is not shown: it is what was too much
function tooMuch(error: string): Read {
  return { ok: false, problems: () => [{ kind: 'value', field: '', error, provided_value: null }] }
}

function without(value: unknown, omitted: ReadonlySet<string>): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => !omitted.has(name)))
}
