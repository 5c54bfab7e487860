import { visibleText } from '@surehand/core/host'
import { type Schema, settledSchema } from './answer-schema.ts'

export type Choice = { readonly text: string; readonly label: string; readonly value: unknown }

/** What stands on the page for a field. `json`: whatever none of the others can draw. */
export type Control =
  | {
      readonly kind: 'text'
      readonly format: string | undefined /** Of a text that may have several lines. */
      readonly rows: number | undefined
    }
  | { readonly kind: 'number'; readonly isInteger: boolean; readonly isSigned: boolean }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
  | { readonly kind: 'lines'; readonly of: 'text' | 'number' }
  | { readonly kind: 'group'; readonly fields: readonly Field[] }
  | { readonly kind: 'json' }

/** One field of the form that an answer is given with. */
export type Field = {
  /** Its name in the form: its place among the others. */
  readonly name: string
  /** Its place in the answer. */
  readonly path: readonly string[]
  readonly label: string
  readonly hints: readonly string[]
  readonly isOptional: boolean
  readonly isNullable: boolean
  readonly control: Control
  /** What it is filled in with, and how that is written; a field nobody changed answers exactly this. */
  readonly filled: unknown
  readonly text: string
  /** What it is filled in with is not for everybody's eyes: it stays where it is unless something is typed. */
  readonly isSecret: boolean
}

export type Place = {
  readonly schema: Schema
  readonly root: Schema
  readonly name: string
  readonly path: readonly string[]
  readonly label: string
  readonly isRequired: boolean
  readonly draft: unknown
  /** The draft as it may be seen. */
  readonly shown: unknown
}

const DEEPEST = 5
const SHORT = 160

/** The form for an answer, from its JSON Schema, filled in with the draft. */
export function answerField(schema: Schema, draft: unknown, shown: unknown): Field {
  return fieldAt({
    schema,
    root: schema,
    name: 'a',
    path: [],
    label: 'Your answer',
    isRequired: true,
    draft,
    shown,
  })
}

function fieldAt(place: Place): Field {
  const { schema, isNullable } = settledSchema(place.schema, place.root)
  const filled = place.draft === undefined ? schema.default : place.draft
  const holdsSecret = place.draft !== undefined && !isAsShown(place.draft, place.shown)
  const control = controlOf({ ...place, schema, draft: filled })
  const isSecret = holdsSecret && control.kind !== 'group'
  const text = filled === undefined || isSecret ? '' : writtenIn(control, filled)
  const common = {
    name: place.name,
    path: place.path,
    label: typeof schema.title === 'string' ? schema.title : place.label,
    hints: hintsOf(schema),
    isOptional: !place.isRequired,
    isNullable,
    filled,
  }
  if (text !== undefined) return { ...common, control, text, isSecret }
  // a draft that its control can't write is edited as it is
  return {
    ...common,
    control: { kind: 'json' },
    text: holdsSecret ? '' : JSON.stringify(filled, undefined, 2),
    isSecret: holdsSecret,
  }
}

function controlOf(place: Place): Control {
  const { schema } = place
  const choices = choicesOf(schema)
  if (choices !== undefined) return { kind: 'choice', choices }
  switch (schema.type) {
    case 'string':
      return textControl(schema, place.draft)
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        isInteger: schema.type === 'integer',
        isSigned: !(typeof schema.minimum === 'number' && schema.minimum >= 0),
      }
    case 'array':
      return linesOf(place)
    case 'object':
      return groupOf(place)
    default:
      return { kind: 'json' }
  }
}

function textControl({ format, maxLength }: Schema, draft: unknown): Control {
  const isLong = typeof draft === 'string' && (draft.length > SHORT || /[\r\n]/.test(draft))
  const isShort =
    typeof format === 'string' || (typeof maxLength === 'number' && maxLength <= SHORT)
  return {
    kind: 'text',
    format: typeof format === 'string' ? format : undefined,
    rows: isLong ? 8 : isShort ? undefined : 1,
  }
}

function linesOf({ schema, root }: Place): Control {
  const items =
    typeof schema.items === 'object' && schema.items !== null
      ? settledSchema(schema.items as Schema, root)
      : undefined
  if (items === undefined || items.isNullable || schema.prefixItems !== undefined)
    return { kind: 'json' }
  const { type } = items.schema
  if (type === 'string') return { kind: 'lines', of: 'text' }
  return type === 'number' || type === 'integer'
    ? { kind: 'lines', of: 'number' }
    : { kind: 'json' }
}

function groupOf(place: Place): Control {
  const { schema, root, name, path, draft, shown } = place
  const members = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>)
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const isOpen =
    typeof schema.additionalProperties === 'object' || schema.patternProperties !== undefined
  if (members.length === 0 || isOpen || path.length >= DEEPEST) return { kind: 'json' }
  if (draft !== undefined && !isRecord(shown ?? draft)) return { kind: 'json' }
  const fields = members.map(([key, member], index) =>
    fieldAt({
      schema: member,
      root,
      name: `${name}-${index}`,
      path: [...path, key],
      label: key,
      isRequired: required.has(key),
      draft: memberOf(draft, key),
      shown: memberOf(shown ?? draft, visibleText(key)),
    }),
  )
  return { kind: 'group', fields }
}

const TRUTH: readonly Choice[] = [
  { text: 'true', label: 'Yes', value: true },
  { text: 'false', label: 'No', value: false },
]

function choicesOf(schema: Schema): readonly Choice[] | undefined {
  const values = valuesOf(schema)
  if (values === undefined) return schema.type === 'boolean' ? TRUTH : undefined
  if (values.some((value) => typeof value === 'object' && value !== null)) return undefined
  return values.map((value) => ({
    text: JSON.stringify(value),
    label: visibleText(String(value)),
    value,
  }))
}

function valuesOf(schema: Schema): readonly unknown[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum
  if (schema.const !== undefined) return [schema.const]
  const ways = schema.anyOf ?? schema.oneOf
  if (!Array.isArray(ways)) return undefined
  const values = ways.map((way: Schema) => way.const)
  return values.includes(undefined) ? undefined : values
}

/** A value as its control writes it; undefined where it can't. */
function writtenIn(control: Control, value: unknown): string | undefined {
  switch (control.kind) {
    case 'text':
      return value === null ? '' : typeof value === 'string' ? value : undefined
    case 'number':
      return value === null ? '' : typeof value === 'number' ? String(value) : undefined
    case 'choice':
      return value === null ? '' : control.choices.find((choice) => choice.value === value)?.text
    case 'lines':
      return linesText(value, control.of)
    case 'group':
      return isRecord(value) &&
        Object.keys(value).every((key) => control.fields.some(({ path }) => path.at(-1) === key))
        ? ''
        : undefined
    case 'json':
      return JSON.stringify(value, undefined, 2)
  }
}

function linesText(value: unknown, of: 'text' | 'number'): string | undefined {
  if (!Array.isArray(value)) return undefined
  const isLine = (item: unknown): boolean =>
    of === 'number'
      ? typeof item === 'number'
      : typeof item === 'string' && item.trim() !== '' && !/[\r\n]/.test(item)
  return value.every(isLine) ? value.join('\n') : undefined
}

function hintsOf(schema: Schema): readonly string[] {
  const { description, default: otherwise, minimum, maximum } = schema
  const most =
    typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined
  const least =
    typeof minimum === 'number' && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined
  return [
    ...(typeof description === 'string' ? [description] : []),
    ...(least !== undefined && most !== undefined ? [`From ${least} to ${most}.`] : []),
    ...(least !== undefined && most === undefined ? [`At least ${least}.`] : []),
    ...(least === undefined && most !== undefined ? [`At most ${most}.`] : []),
    ...(otherwise === undefined ? [] : [`Left empty, it is ${JSON.stringify(otherwise)}.`]),
  ]
}

// what may be seen of a draft is the draft, but for its secrets, and with the invisible spelled out
function isAsShown(draft: unknown, shown: unknown): boolean {
  if (typeof draft === 'string') return visibleText(draft) === shown
  if (Array.isArray(draft))
    return Array.isArray(shown) && draft.every((item, index) => isAsShown(item, shown[index]))
  if (!isRecord(draft)) return draft === shown
  return (
    isRecord(shown) &&
    Object.entries(draft).every(([key, member]) =>
      isAsShown(member, memberOf(shown, visibleText(key))),
    )
  )
}

function memberOf(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
