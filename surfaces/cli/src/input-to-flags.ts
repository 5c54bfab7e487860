import { isRecord, once } from '@surehand/core/worker-entry'
import { parseValue } from './field-value.ts'
import { type Field, holdsSecret } from './fields.ts'
import { type InputObject, setField } from './flags-to-input.ts'

type Known = { readonly secrets: readonly string[]; readonly taken: ReadonlySet<string> }

/**
 * The arguments that produce this input, for examples that can be pasted. A field with the name of
 * a flag of the command is written `--field.NAME`; what no flag can name goes into `--input`.
 */
export function inputToFlags(
  input: Readonly<Record<string, unknown>>,
  fields: readonly Field[],
  { secrets, taken }: Known,
): readonly string[] {
  const aside: InputObject = {}
  const flags = Object.entries(input).flatMap(([key, value]) => words([key], value))
  return Object.keys(aside).length === 0 ? flags : [...flags, '--input', JSON.stringify(aside)]

  function words(path: readonly string[], value: unknown): readonly string[] {
    const field = fields.find(
      (candidate) =>
        candidate.path.length === path.length &&
        candidate.path.every((step, at) => step === path[at]),
    )
    // A key without a flag is filled in by the runtime.
    if (field === undefined || value === undefined) return []
    if (field.isSecret) return ['--field-from-env', `${field.name}=${variableFor(field)}`]
    const members = isRecord(value) ? Object.entries(value) : []
    const isSplit =
      members.length > 0 &&
      members.every(([key]) => fields.some((other) => isMember(other, field, key)))
    if (isSplit) return members.flatMap(([key, member]) => words([...path, key], member))
    // An object that has no flags for its fields and contains a secret cannot be written on a
    // command line.
    if (holdsSecret(field, secrets)) return []
    if (WRITABLE.test(field.name)) return valueWords(field, value, { fields, taken })
    setField(aside, field, value)
    return []
  }
}

// Names that can be written as a flag.
const WRITABLE = /^[A-Za-z0-9_$@][A-Za-z0-9_$@.-]*$/

type Around = { readonly fields: readonly Field[]; readonly taken: ReadonlySet<string> }

function valueWords(field: Field, value: unknown, { fields, taken }: Around): readonly string[] {
  const flag = `--${taken.has(field.name) || taken.has(`no-${field.name}`) ? 'field.' : ''}${field.name}`
  if (
    field.isList &&
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => toWord(item, field) !== undefined)
  )
    return value.flatMap((item) => joinFlag(flag, toWord(item, field) ?? ''))
  const word = field.isList ? undefined : toWord(value, field)
  if (word === undefined) return [`${flag}:=${JSON.stringify(value)}`]
  if (field.form.kind !== 'boolean') return joinFlag(flag, word)
  if (value === true) return [flag]
  // Where --no-NAME is another field's flag, false is written as a value.
  return fields.some(({ name }) => name === `no-${field.name}`) || flag.startsWith('--field.')
    ? [`${flag}=false`]
    : [`--no-${field.name}`]
}

/** The text that parses back to exactly this value; undefined where there is none. */
function toWord(value: unknown, field: Field): string | undefined {
  const word =
    field.form.kind === 'json'
      ? JSON.stringify(value)
      : typeof value === 'object'
        ? undefined
        : String(value)
  if (word === undefined) return undefined
  const back = parseValue(word, field.form)
  return JSON.stringify(back) === JSON.stringify(value) ? word : undefined
}

function joinFlag(flag: string, word: string): readonly string[] {
  return word.startsWith('-') || word === '' ? [`${flag}=${word}`] : [flag, word]
}

/** The name of an environment variable for a secret field. */
export function variableFor({ name }: Pick<Field, 'name'>): string {
  return name.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase()
}

function isMember(other: Field, field: Field, key: string): boolean {
  return (
    other.path.length === field.path.length + 1 &&
    other.path.at(-1) === key &&
    field.path.every((step, at) => step === other.path[at])
  )
}

const PLAIN_WORD = /^[A-Za-z0-9_@%+=:,./-]+$/
// Compiled on first use: Unicode properties take a millisecond.
const unseen = once(() => /[\p{C}\p{Zl}\p{Zp}]|\p{Default_Ignorable_Code_Point}|(?! )\p{Zs}/u)

/** Quotes words for a shell; invisible characters become escapes that bash and zsh understand. */
export function quoteCommand(words: readonly string[]): string {
  return words.map(quoteWord).join(' ')
}

function quoteWord(word: string): string {
  if (PLAIN_WORD.test(word)) return word
  if (!unseen().test(word)) return `'${word.replaceAll("'", `'\\''`)}'`
  return `$'${Array.from(word, escapeCharacter).join('')}'`
}

function escapeCharacter(character: string): string {
  if (character === '\n') return '\\n'
  if (character === "'" || character === '\\') return `\\${character}`
  if (!unseen().test(character)) return character
  return `\\U${(character.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`
}
