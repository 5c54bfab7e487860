import { z } from 'zod'
import { fieldName } from '../call/field-name.ts'
import { type JsonSchema, toJsonSchema } from './json-schema.ts'
import { HIDDEN, redact } from './redact.ts'
import { readShape, type Shape } from './shape.ts'
import { canGenerateCode, compileWriter, type Writer } from './writer.ts'

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
  readonly write: Writer
  readonly shape: Shape
  readonly toJson: (io: 'input' | 'output') => JsonSchema
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
    parse(value) {
      // not for the first value: compiling takes longer than parsing once
      if (hasParsed && canGenerateCode()) compiled ??= z.compile(source) as z.ZodType<T>
      hasParsed = true
      const result =
        compiled === undefined
          ? source.safeParse(value, { jitless: true })
          : compiled.safeParse(value)
      if (result.success) return { ok: true, value: result.data }
      return { ok: false, problems: toProblems(result.error.issues, value, shape) }
    },
    write(value) {
      writer ??= compileWriter(shape, options.omitFromHash)
      return writer(value)
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

function toProblems(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  shape: Shape,
): readonly Problem[] {
  const shown = redact(shape, value)
  return issues.flatMap((issue) => toProblem(issue, value, shown))
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
