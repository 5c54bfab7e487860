import { z } from 'zod'
import type { CanonicalText } from '../call/canonical.ts'
import { fieldName } from '../call/field-name.ts'
import type { Pace } from '../call/json-in-turns/parse-in-pieces.ts'
import { type JsonSchema, toJsonSchema } from './json-schema.ts'
import { HIDDEN, redact } from './redact.ts'
import { readShape, type Shape } from './shape.ts'
import { canGenerateCode, compileWriter, NONE_OMITTED, omitFields, type Writer } from './writer.ts'

/** One thing that is wrong with a value. */
export type Problem = {
  readonly kind: 'missing' | 'type' | 'value' | 'unknown'
  readonly field: string
  readonly error: string
  readonly provided_value: unknown
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/**
 * A schema as the pipeline uses it, from zod or from a JSON Schema: it parses, writes canonical
 * JSON, publishes and redacts.
 */
export type Schema<T = unknown> = {
  readonly parse: (value: unknown) => Parsed<T>
  /** Its canonical JSON. What is changed in the value afterwards does not change it. */
  readonly write: Writer
  /** The text of `write`, with its hash, made a part at a time. */
  readonly writeInTurns: (value: unknown, pace: Pace) => Promise<CanonicalText>
  readonly shape: Shape
  readonly toJson: (io: 'input' | 'output') => JsonSchema
  /** What it was made from, where that is zod. */
  readonly zod?: z.ZodType<T>
  /** From a document, which is passed on as it is. */
  readonly isForeign?: boolean
}

export type SchemaOptions = {
  readonly omitFromHash?: ReadonlySet<string>
  readonly refuseUnknown?: boolean
}

/** A zod schema, checked at once and compiled when it is used again. */
export function zodSchema<T>(schema: z.ZodType<T>, options: SchemaOptions = {}): Schema<T> {
  const shape = readShape(schema)
  const source = options.refuseUnknown ? strictly(schema) : schema
  let compiled: z.ZodType<T> | undefined
  let hasParsed = false
  let writer: Writer | undefined
  const published: { input?: JsonSchema; output?: JsonSchema } = {}
  return {
    shape,
    zod: source,
    parse(value) {
      // not for the first value: compiling takes longer than parsing once
      if (hasParsed && canGenerateCode()) compiled ??= z.compile(source) as z.ZodType<T>
      hasParsed = true
      try {
        const result =
          compiled === undefined
            ? source.safeParse(value, { jitless: true })
            : compiled.safeParse(value)
        if (result.success) return { ok: true, value: result.data }
        return { ok: false, problems: toProblems(result.error.issues, value, shape) }
      } catch (thrown) {
        if (isStackOverflow(thrown)) return { ok: false, problems: [UNCOUNTED] }
        throw thrown
      }
    },
    write(value) {
      writer ??= compileWriter(shape, options.omitFromHash)
      return writer(value)
    },
    async writeInTurns(value, pace) {
      // Loaded on first use: a command that calls one tool never needs it.
      const { canonicalInTurns } = await import('../call/json-in-turns/canonical-in-turns.ts')
      return canonicalInTurns(omitFields(value, options.omitFromHash ?? NONE_OMITTED), pace)
    },
    toJson(io) {
      published[io] ??= toJsonSchema(source, { io })
      return published[io]
    },
  }
}

function strictly<T>(schema: z.ZodType<T>): z.ZodType<T> {
  if (schema instanceof z.ZodObject) return schema.strict() as unknown as z.ZodType<T>
  if (schema instanceof z.ZodReadonly) return strictly(schema.unwrap() as z.ZodType<T>)
  throw new TypeError('Unknown keys can be refused only by an object.')
}

// A list of 240,000 wrong items would be answered with 36 MB.
export const MOST_PROBLEMS = 50

export function toProblems(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  shape: Shape,
): readonly Problem[] {
  const shown = redact(shape, value)
  const problems = issues.slice(0, MOST_PROBLEMS).flatMap((issue) => toProblem(issue, value, shown))
  const more =
    Math.max(0, issues.length - MOST_PROBLEMS) + Math.max(0, problems.length - MOST_PROBLEMS)
  return more > 0
    ? [...problems.slice(0, MOST_PROBLEMS), wholeInput(`has ${more} more problems`)]
    : problems
}

function wholeInput(error: string): Problem {
  return { kind: 'value', field: '', error, provided_value: null }
}

// zod hands all issues of a list to one function call, which fails from about 120,000 on.
export const UNCOUNTED = wholeInput('has more problems than can be listed')

function isStackOverflow(thrown: unknown): boolean {
  return thrown instanceof RangeError && thrown.message.includes('call stack')
}

function toProblem(issue: z.core.$ZodIssue, value: unknown, shown: unknown): readonly Problem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      kind: 'unknown',
      field: fieldName([...issue.path, key]),
      error: 'is not a field of this tool',
      provided_value: valueAt(shown, [...issue.path, key]),
    }))
  }
  const isMissing = valueAt(value, issue.path) === undefined
  const field = fieldName(issue.path)
  if (
    isMissing &&
    issue.path.length > 0 &&
    (issue.code === 'invalid_type' ||
      issue.code === 'invalid_value' ||
      issue.code === 'invalid_union')
  ) {
    return [
      { kind: 'missing', field, error: `is required: ${expectation(issue)}`, provided_value: null },
    ]
  }
  return [
    {
      kind: issue.code === 'invalid_type' ? 'type' : 'value',
      field,
      error: expectation(issue),
      provided_value: shownAt(shown, issue.path),
    },
  ]
}

// zod's own sentence, less its prefix and less "received undefined", which says nothing to a person
function expectation(issue: z.core.$ZodIssue): string {
  return issue.message
    .replace(/^Invalid (input|option|string): /, '')
    .replace(/, received undefined$/, '')
}

// inside a secret there is nothing to show but that it is one
function shownAt(shown: unknown, path: readonly PropertyKey[]): unknown {
  const at = path.findIndex((_, index) => valueAt(shown, path.slice(0, index + 1)) === HIDDEN)
  return at >= 0 ? HIDDEN : (valueAt(shown, path) ?? null)
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value
  for (const step of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step))
      return undefined
    current = (current as Record<PropertyKey, unknown>)[step]
  }
  return current
}
