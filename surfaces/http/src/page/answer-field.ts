import { visibleText } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import { resolveSchema, type Schema } from './answer-schema.ts'

export type Choice = { readonly text: string; readonly label: string; readonly value: unknown }

/** The control that a field is shown with; `json` where no other control fits. */
export type Control =
  | {
      readonly kind: 'text'
      readonly format: string | undefined
      /** Set for a text that may have several lines. */
      readonly rows: number | undefined
    }
  | { readonly kind: 'number'; readonly isInteger: boolean; readonly isSigned: boolean }
  | { readonly kind: 'choice'; readonly choices: readonly Choice[] }
  | { readonly kind: 'lines'; readonly of: 'text' | 'number' }
  | { readonly kind: 'group'; readonly fields: readonly Field[] }
  | { readonly kind: 'json' }

/** One field of the form for an answer. */
export type Field = {
  /** Its name in the form, from its position among the other fields. */
  readonly name: string
  /** Where its value is in the answer. */
  readonly path: readonly string[]
  readonly label: string
  readonly hints: readonly string[]
  readonly isOptional: boolean
  readonly isNullable: boolean
  readonly control: Control
  /**
   * The suggested value; an unchanged field returns exactly this value. `text` is how it is written
   * in the form.
   */
  readonly filled: unknown
  readonly text: string
  /** The suggested value is secret: it is not shown, and is kept unless something is typed. */
  readonly isSecret: boolean
}

type FieldSource = {
  readonly schema: Schema
  readonly root: Schema
  readonly name: string
  readonly path: readonly string[]
  readonly label: string
  readonly isRequired: boolean
  readonly draft: unknown
  /** The draft with its secrets hidden. */
  readonly shown: unknown
}

const MAX_DEPTH = 5
const MAX_LINE_LENGTH = 160

/** The form for an answer, from its JSON Schema, with the draft as its suggested values. */
export function buildAnswerField(schema: Schema, draft: unknown, shown: unknown): Field {
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

function fieldAt(source: FieldSource): Field {
  const { schema, isNullable } = resolveSchema(source.schema, source.root)
  const filled = source.draft === undefined ? schema.default : source.draft
  const holdsSecret = source.draft !== undefined && !isAsShown(source.draft, source.shown)
  const control = controlOf({ ...source, schema, draft: filled })
  const isSecret = holdsSecret && control.kind !== 'group'
  const text = filled === undefined || isSecret ? '' : formatFor(control, filled)
  const common = {
    name: source.name,
    path: source.path,
    label: capitalize(typeof schema.title === 'string' ? schema.title : source.label),
    hints: [
      ...hintsOf(schema),
      ...(isSecret && typeof source.shown === 'string' ? [`Suggested: ${source.shown}.`] : []),
    ],
    isOptional: !source.isRequired,
    isNullable,
    filled,
  }
  if (text !== undefined) return { ...common, control, text, isSecret }
  // A draft that its control cannot represent is edited as JSON.
  return {
    ...common,
    control: { kind: 'json' },
    text: holdsSecret ? '' : JSON.stringify(filled, undefined, 2),
    isSecret: holdsSecret,
  }
}

function controlOf(source: FieldSource): Control {
  const { schema } = source
  const choices = choicesOf(schema)
  if (choices !== undefined) return { kind: 'choice', choices }
  switch (schema.type) {
    case 'string':
      return textControl(schema, source.draft)
    case 'number':
    case 'integer':
      return {
        kind: 'number',
        isInteger: schema.type === 'integer',
        isSigned: !(typeof schema.minimum === 'number' && schema.minimum >= 0),
      }
    case 'array':
      return linesOf(source)
    case 'object':
      return groupOf(source)
    default:
      return { kind: 'json' }
  }
}

function textControl({ format, maxLength }: Schema, draft: unknown): Control {
  const isLong =
    typeof draft === 'string' && (draft.length > MAX_LINE_LENGTH || /[\r\n]/.test(draft))
  const isShort =
    typeof format === 'string' || (typeof maxLength === 'number' && maxLength <= MAX_LINE_LENGTH)
  return {
    kind: 'text',
    format: typeof format === 'string' ? format : undefined,
    rows: isLong ? 8 : isShort ? undefined : 1,
  }
}

function linesOf({ schema, root }: FieldSource): Control {
  const items =
    typeof schema.items === 'object' && schema.items !== null
      ? resolveSchema(schema.items as Schema, root)
      : undefined
  if (items === undefined || items.isNullable || schema.prefixItems !== undefined)
    return { kind: 'json' }
  const { type } = items.schema
  if (type === 'string') return { kind: 'lines', of: 'text' }
  return type === 'number' || type === 'integer'
    ? { kind: 'lines', of: 'number' }
    : { kind: 'json' }
}

function groupOf(source: FieldSource): Control {
  const { schema, root, name, path, draft, shown } = source
  const members = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>)
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const isOpen =
    typeof schema.additionalProperties === 'object' || schema.patternProperties !== undefined
  if (members.length === 0 || isOpen || path.length >= MAX_DEPTH) return { kind: 'json' }
  if (draft !== undefined && !isRecord(shown ?? draft)) return { kind: 'json' }
  const fields = members.map(([key, member], index) =>
    fieldAt({
      schema: member,
      root,
      name: `${name}-${index}`,
      path: [...path, key],
      label: labelFromName(key),
      isRequired: required.has(key),
      draft: memberOf(draft, key),
      shown: memberOf(shown ?? draft, visibleText(key)),
    }),
  )
  return { kind: 'group', fields }
}

/** The name of a field as people write it: `startDate` and `start_date` become "Start date". */
export function labelFromName(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_\-\s]+/g, ' ')
    .trim()
    .split(' ')
    .map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ')
  return words === '' ? name : capitalize(words)
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

const BOOLEAN_CHOICES: readonly Choice[] = [
  { text: 'true', label: 'Yes', value: true },
  { text: 'false', label: 'No', value: false },
]

function choicesOf(schema: Schema): readonly Choice[] | undefined {
  const values = valuesOf(schema)
  if (values === undefined) return schema.type === 'boolean' ? BOOLEAN_CHOICES : undefined
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
  const branches = schema.anyOf ?? schema.oneOf
  if (!Array.isArray(branches)) return undefined
  const values = branches.map((branch: Schema) => branch.const)
  return values.includes(undefined) ? undefined : values
}

/** A value as text for its control; undefined where the control cannot represent it. */
function formatFor(control: Control, value: unknown): string | undefined {
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
    ...defaultHint(otherwise),
  ]
}

// "null" and "[]" say nothing to people: such a field is left empty.
function defaultHint(value: unknown): readonly string[] {
  if (typeof value === 'boolean') return [`Default: ${value ? 'yes' : 'no'}.`]
  if (typeof value === 'number' || (typeof value === 'string' && value !== ''))
    return [`Default: ${value}.`]
  return []
}

// The shown draft differs from the draft in its secrets, and in invisible characters, which are
// spelled out.
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
