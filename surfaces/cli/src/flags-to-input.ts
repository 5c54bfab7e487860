import { readFileSync } from 'node:fs'
import { type Token, unknownFlag } from './arguments.ts'
import { parseFieldValue } from './field-value.ts'
import { type Field, holdsSecret } from './fields.ts'
import { UsageError } from './usage-error.ts'

export type InputObject = { [key: string]: unknown }

type Found = { readonly field: Field; readonly how: 'value' | 'json' | 'no' | 'file' }

/**
 * Fields that share their name with a flag of the command itself are reached as `--field.NAME`, and
 * so is any other.
 */
export const FIELD_PREFIX = 'field.'

/** Whose fields they are: the command as far as it is typed, and the one that lists them. */
export type CommandHint = { readonly command: string; readonly suggestion: string }

export type InputOptions = {
  readonly about: CommandHint
  readonly fields: readonly Field[]
  readonly secrets: readonly string[]
  /** What is there already; flags are laid over it. */
  readonly onto: InputObject
}

/**
 * An input from its flags. Types come from the schema; whether the values will do is for the
 * runtime to say.
 */
export function flagsToInput(
  line: readonly Token[],
  { about, fields, secrets, onto }: InputOptions,
): InputObject {
  const { suggestion } = about
  const input = onto
  const begun = new Set<string>()
  for (let index = 0; index < line.length; index++) {
    const piece = line[index] as Token
    if (piece.kind === 'word') throw strayWord(piece.text, line[index - 1], suggestion)
    const found = findFlag(piece.name, fields)
    if (found === undefined) throw unknownFlag(piece.name, fields.flatMap(flagNames), suggestion)
    const { field } = found
    if (holdsSecret(field, secrets)) throw secretInArguments(field, about)
    const next = line[index + 1]
    const takesNext = piece.value === undefined && !isSwitch(found) && next?.kind === 'word'
    if (takesNext) index++
    const text = takesNext && next?.kind === 'word' ? next.text : piece.value
    setValue(input, field, valueFor(found, text, suggestion), {
      isWhole: found.how === 'json',
      begun,
    })
  }
  return input
}

function isSwitch({ field, how }: Found): boolean {
  return how === 'no' || (how === 'value' && field.form.kind === 'boolean' && !field.isList)
}

function valueFor(found: Found, text: string | undefined, suggestion: string): unknown {
  const { field, how } = found
  if (how === 'file') return readBase64(text, field, suggestion)
  if (how === 'json')
    return parseFieldValue(text ?? '', { ...field, form: { kind: 'json' } }, suggestion)
  if (how === 'no') {
    if (text === undefined) return false
    throw new UsageError(`--no-${field.name} takes no value.`, suggestion)
  }
  if (text === undefined && isSwitch(found)) return true
  if (text === undefined)
    throw new UsageError(
      `--${field.name} needs a value; one that begins with dashes is written --${field.name}=VALUE.`,
      suggestion,
    )
  return parseFieldValue(text, field, suggestion)
}

// Exact names first: a field may be called `no-reply`.
function findFlag(given: string, fields: readonly Field[]): Found | undefined {
  const name = given.startsWith(FIELD_PREFIX) ? given.slice(FIELD_PREFIX.length) : given
  const plain = findByName(name, fields)
  if (plain !== undefined) return { field: plain, how: 'value' }
  const file = fields.find((field) => fileFlag(field) === name)
  if (file !== undefined) return { field: file, how: 'file' }
  const whole = name.endsWith(':') ? findByName(name.slice(0, -1), fields) : undefined
  if (whole !== undefined) return { field: whole, how: 'json' }
  const negated = name.startsWith('no-') ? findByName(name.slice(3), fields) : undefined
  return negated?.form.kind === 'boolean' && !negated.isList
    ? { field: negated, how: 'no' }
    : undefined
}

function findByName(name: string, fields: readonly Field[]): Field | undefined {
  return (
    fields.find((field) => field.name === name) ??
    fields.find((field) => toKebabCase(field.name) === name)
  )
}

/** `partySize` and `party_size` may be written `party-size`. */
export function toKebabCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
}

/** `image` for a field `imageBytes` in base64: the flag takes the name of a file. */
export function fileFlag({ name, keywords }: Pick<Field, 'name' | 'keywords'>): string | undefined {
  const [, what] = /^(.+)Bytes$/.exec(name) ?? []
  return keywords.contentEncoding === 'base64' ? what : undefined
}

function readBase64(file: string | undefined, field: Field, suggestion: string): string {
  if (file === undefined || file === '')
    throw new UsageError(`--${fileFlag(field)} needs the name of a file.`, suggestion)
  try {
    return readFileSync(file).toString('base64')
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${(cause as Error).message}.`, suggestion)
  }
}

/** A field's names on the command line. */
export function flagNames(field: Field): readonly string[] {
  const file = fileFlag(field)
  if (file !== undefined) return [file, field.name]
  return field.form.kind === 'boolean' && !field.isList
    ? [field.name, `no-${field.name}`]
    : [field.name]
}

type Putting = { readonly isWhole: boolean; readonly begun: Set<string> }

function setValue(
  input: InputObject,
  field: Field,
  value: unknown,
  { isWhole, begun }: Putting,
): void {
  const parent = parentOf(input, field.path)
  const key = field.path.at(-1) ?? ''
  if (!field.isList || isWhole) {
    setOwn(parent, key, value)
    return
  }
  // The first flag of a list replaces the list of --input; further ones add to it.
  const before = begun.has(field.name) && Object.hasOwn(parent, key) ? parent[key] : []
  begun.add(field.name)
  setOwn(parent, key, [...(Array.isArray(before) ? before : []), value])
}

function parentOf(input: InputObject, path: readonly string[]): InputObject {
  let parent = input
  for (const step of path.slice(0, -1)) {
    const inner = Object.hasOwn(parent, step) ? parent[step] : undefined
    const next: InputObject =
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? (inner as InputObject)
        : {}
    setOwn(parent, step, next)
    parent = next
  }
  return parent
}

// Defined, not assigned: a field called __proto__ must not change the prototype.
function setOwn(target: InputObject, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  })
}

/** Sets a value that did not come from the arguments. */
export function setField(input: InputObject, field: Field, value: unknown): void {
  setValue(input, field, value, { isWhole: true, begun: new Set() })
}

export function secretInArguments(
  field: Pick<Field, 'name'>,
  { command }: CommandHint,
): UsageError {
  return new UsageError(
    `${field.name} is secret: other users of this machine can read command lines, and the shell stores them in its history.`,
    `${command} --field-from-env ${field.name}=VARIABLE   (or --input - from a pipe, or leave it out and enter it at the prompt)`,
  )
}

function strayWord(text: string, before: Token | undefined, suggestion: string): UsageError {
  const hint =
    before?.kind === 'flag'
      ? ` (--${before.name} takes no value, or write --${before.name}=${text})`
      : ''
  return new UsageError(`"${text}" is not the value of any flag${hint}.`, suggestion)
}
