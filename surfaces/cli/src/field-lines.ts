import type { Field } from './fields.ts'
import { fileFlag } from './flags-to-input.ts'
import { safeLine } from './safe-text.ts'

/**
 * A field as a flag, for help. A field with the name of a flag of the command is written
 * `--field.NAME`.
 */
export function fieldLines(field: Field, taken: ReadonlySet<string>): readonly string[] {
  const notes = [
    field.isRequired ? 'required' : '',
    field.isList ? 'may be repeated' : '',
    field.isSecret ? 'secret: give it by --field-from-env, --input -, or at the prompt' : '',
    ...bounds(field),
  ].filter((note) => note !== '')
  const { description } = field.keywords
  return [
    `  ${fileNote(field)}${flagOf(field, taken)}${notes.length === 0 ? '' : `  (${notes.join('; ')})`}`,
    ...(typeof description === 'string' ? [`      ${safeLine(description)}`] : []),
  ]
}

function fileNote(field: Field): string {
  const file = fileFlag(field)
  return file === undefined ? '' : `--${safeLine(file)} FILE | `
}

function flagOf({ name, form, isList, isSecret }: Field, taken: ReadonlySet<string>): string {
  const flag = `--${taken.has(name) ? 'field.' : ''}${safeLine(name)}`
  if (isSecret) return flag
  switch (form.kind) {
    case 'boolean':
      return isList ? `${flag} true|false` : `${flag} | --no-${safeLine(name)}`
    case 'choice':
      return `${flag} ${form.values.map(safeLine).join('|')}`
    case 'text':
      return `${flag} TEXT`
    case 'number':
      return `${flag} NUMBER`
    case 'scalar':
      return `${flag} VALUE`
    case 'json':
      return `${flag} JSON`
  }
}

const BOUNDS: readonly (readonly [string, (value: unknown) => string])[] = [
  ['minimum', (value) => `at least ${value}`],
  ['exclusiveMinimum', (value) => `more than ${value}`],
  ['maximum', (value) => `at most ${value}`],
  ['exclusiveMaximum', (value) => `less than ${value}`],
  ['multipleOf', (value) => `a multiple of ${value}`],
  ['minLength', (value) => `at least ${value} characters`],
  ['maxLength', (value) => `at most ${value} characters`],
  ['minItems', (value) => `at least ${value} items`],
  ['maxItems', (value) => `at most ${value} items`],
  ['format', (value) => `format ${value}`],
  ['pattern', (value) => `pattern ${value}`],
  ['default', (value) => `default ${JSON.stringify(value)}`],
]

// Bounds that only state the range of JavaScript's safe integers are left out.
function bounds({ keywords }: Field): readonly string[] {
  const isWhole = keywords.type === 'integer' ? ['whole number'] : []
  const limits = BOUNDS.flatMap(([name, words]) => {
    const value = keywords[name]
    const isNews = value !== undefined && Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER
    return isNews ? [safeLine(words(value))] : []
  })
  return [...isWhole, ...limits]
}
