import { isRecord, type JsonSchema } from '@surehand/core/internal'

type Known = Readonly<Record<string, unknown>>

/** A question as an elicitation form, and how its content is read. */
export type AnswerForm = {
  readonly schema: {
    readonly type: 'object'
    readonly properties: Readonly<Record<string, object>>
    readonly required: readonly string[]
  }
  readonly read: (content: Known) => unknown
}

/** The only field of a form whose answer is not an object. */
const ONLY_FIELD = 'answer'

/**
 * The form for a question, with the draft as its defaults; undefined where a form cannot express
 * it: forms are flat objects of texts, numbers, booleans and choices. The run itself checks what
 * forms leave out, such as patterns.
 */
export function answerForm(schema: JsonSchema, draft: unknown): AnswerForm | undefined {
  if (isRecord(schema.properties)) return createForm(schema, isRecord(draft) ? draft : {})
  const form = createForm(
    { properties: { [ONLY_FIELD]: schema }, required: [ONLY_FIELD] },
    { [ONLY_FIELD]: draft },
  )
  return form === undefined
    ? undefined
    : { ...form, read: (content) => (form.read(content) as Known)[ONLY_FIELD] }
}

function createForm({ properties, required }: Known, draft: Known): AnswerForm | undefined {
  const fields = Object.entries(properties as Known).map(
    ([name, schema]) => [name, createField(schema, draft[name])] as const,
  )
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
  const filled = fields.filter(
    (field): field is readonly [string, object] => field[1] !== undefined,
  )
  if (filled.length < fields.length) return undefined
  return {
    schema: { type: 'object', properties: Object.fromEntries(filled), required: names },
    read: (content) => {
      // A required field that was not touched keeps its draft; any other missing field was cleared.
      const answered = filled.map(
        ([name]) =>
          [name, content[name] ?? (names.includes(name) ? draft[name] : undefined)] as const,
      )
      return Object.fromEntries(answered.filter(([, value]) => value !== undefined))
    },
  }
}

function createField(schema: unknown, draft: unknown): object | undefined {
  if (!isRecord(schema)) return undefined
  const field = plainField(schema)
  if (field === undefined) return undefined
  const shown = draft ?? schema.default
  return {
    ...only(schema, ['title', 'description']),
    ...field,
    ...(fits(field, shown) ? { default: shown } : {}),
  }
}

const FORMATS: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time'])

function plainField(schema: Known): Known | undefined {
  if (['enum', 'const', 'anyOf', 'oneOf'].some((word) => word in schema)) {
    const choices = choicesOf(schema)
    return choices === undefined ? undefined : { type: 'string', enum: choices }
  }
  switch (schema.type) {
    case 'boolean':
      return { type: 'boolean' }
    case 'number':
    case 'integer':
      return only(schema, ['type', 'minimum', 'maximum'])
    case 'string':
      return {
        ...only(schema, ['type', 'minLength', 'maxLength']),
        ...(FORMATS.has(schema.format) ? { format: schema.format } : {}),
      }
    case 'array': {
      const choices = isRecord(schema.items) ? choicesOf(schema.items) : undefined
      if (choices === undefined) return undefined
      return {
        ...only(schema, ['type', 'minItems', 'maxItems']),
        items: { type: 'string', enum: choices },
      }
    }
    default:
      return undefined
  }
}

function choicesOf(schema: Known): readonly string[] | undefined {
  const found: readonly unknown[] = Array.isArray(schema.enum)
    ? schema.enum
    : 'const' in schema
      ? [schema.const]
      : constantsOf(schema.anyOf ?? schema.oneOf)
  return found.length > 0 && found.every((choice): choice is string => typeof choice === 'string')
    ? (found as readonly string[])
    : undefined
}

function constantsOf(branches: unknown): readonly unknown[] {
  return Array.isArray(branches)
    ? branches.map((branch) => (isRecord(branch) ? branch.const : undefined))
    : []
}

// A draft that does not fit its field is left out; the message beside the form shows it.
function fits({ type, enum: choices, items }: Known, value: unknown): boolean {
  if (Array.isArray(choices)) return choices.includes(value)
  if (type === 'array')
    return (
      Array.isArray(value) &&
      isRecord(items) &&
      value.every((one) => (items.enum as unknown[]).includes(one))
    )
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type
}

function only(schema: Known, words: readonly string[]): Known {
  return Object.fromEntries(
    words.flatMap((word) => (schema[word] === undefined ? [] : [[word, schema[word]]])),
  )
}
