import type { Token } from './arguments.ts'
import type { ToolFacts } from './backend.ts'
import { parseValue } from './field-value.ts'
import { fieldsOf } from './fields.ts'
import {
  type CommandHint,
  flagsToInput,
  type InputObject,
  type InputOptions,
  secretInArguments,
  setField,
} from './flags-to-input.ts'
import { CANCELLED, createPrompt } from './prompt.ts'
import { readInput } from './read-input.ts'
import { isInteractive, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** Fields as they stand on the command line. */
export type FieldArguments = {
  readonly flags: readonly Token[]
  /** `FIELD=VARIABLE`. */
  readonly fromEnv: readonly string[]
}

export type InputArguments = FieldArguments & {
  readonly tool: string
  /** The value of `--input`. */
  readonly given: string | undefined
}

export type InputContext = {
  readonly terminal: Terminal
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * The input as JSON text. A text that came whole is passed on unchanged: the runtime parses it and
 * must see every oddity.
 */
export async function buildInput(
  words: InputArguments,
  facts: ToolFacts | undefined,
  { terminal, env }: InputContext,
): Promise<string | typeof CANCELLED> {
  const text = words.given === undefined ? undefined : await readInput(words.given, terminal.stdin)
  if (facts === undefined) return text ?? '{}'
  const fields = fieldsOf(facts.input, facts.secrets)
  const about = {
    command: `surehand call ${words.tool}`,
    suggestion: `surehand show ${words.tool}`,
  }
  if (text !== undefined && isArgument(words.given)) refuseSecrets(text, facts.secrets, about)
  const mayAsk = isInteractive(terminal) && words.given === undefined
  if (text !== undefined && words.flags.length === 0 && words.fromEnv.length === 0) return text
  const onto = text === undefined ? {} : parseObject(text, about)
  const input = mergeFields(words, { about, fields, secrets: facts.secrets, onto }, env)
  if (!mayAsk) return JSON.stringify(input)
  const { askFields, missingFields } = await import('./ask-fields.ts')
  const asked = await askFields(input, missingFields(input, fields), {
    prompt: createPrompt(terminal),
  })
  return asked === CANCELLED ? CANCELLED : JSON.stringify(asked)
}

/** Is the value itself in the arguments, rather than in a file or on standard input? */
export function isArgument(given: string | undefined): boolean {
  return given !== undefined && given !== '-' && !given.startsWith('@')
}

/** Puts the fields over the input that exists already. */
export function mergeFields(
  words: FieldArguments,
  flags: InputOptions,
  env: InputContext['env'],
): InputObject {
  const input = flagsToInput(words.flags, flags)
  for (const pair of words.fromEnv) putFromEnv(input, pair, { flags, env })
  return input
}

/** Every user of the machine can read the arguments of a process. */
export function refuseSecrets(text: string, secrets: readonly string[], about: CommandHint): void {
  const name = findSecret(tryParseJson(text), secrets)
  if (name !== undefined) throw secretInArguments({ name }, about)
}

// Invalid JSON is refused later, by the runtime's parser, which quotes nothing of it.
function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parseObject(text: string, { suggestion }: CommandHint): InputObject {
  const value = tryParseJson(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as InputObject
  throw new UsageError(
    'Flags can be combined with --input only if that is a JSON object.',
    suggestion,
  )
}

type EnvParts = { readonly flags: InputOptions; readonly env: InputContext['env'] }

function putFromEnv(
  input: InputObject,
  pair: string,
  { flags: { fields, about }, env }: EnvParts,
): void {
  const equals = pair.indexOf('=')
  const name = pair.slice(0, equals)
  const variable = pair.slice(equals + 1)
  const field = fields.find((candidate) => candidate.name === name)
  if (equals < 1 || field === undefined)
    throw new UsageError(
      `--field-from-env takes FIELD=VARIABLE with a field of the tool, not "${pair}".`,
      about.suggestion,
    )
  const text = env[variable]
  if (text === undefined)
    throw new UsageError(`The environment variable ${variable} is not set.`, `export ${variable}=…`)
  // The value is not shown: it may be the secret.
  const value = parseValue(text, field.isList ? { kind: 'json' } : field.form)
  if (value === undefined)
    throw new UsageError(`The value of ${variable} does not fit ${field.name}.`, about.suggestion)
  setField(input, field, value)
}

/** The first secret path that a value fills, at any depth; lists are searched item by item. */
function findSecret(value: unknown, secrets: readonly string[]): string | undefined {
  return secrets.find((secret) => {
    const path = secret.replaceAll(/\[\d*\]/g, '').split('.')
    return hasValueAt(
      value,
      path.filter((step) => step !== ''),
    )
  })
}

function hasValueAt(value: unknown, steps: readonly string[]): boolean {
  if (value === undefined || value === null) return false
  const [step, ...rest] = steps
  if (step === undefined) return true
  if (Array.isArray(value)) return value.some((item) => hasValueAt(item, steps))
  if (typeof value !== 'object') return false
  return Object.entries(value).some(
    ([key, member]) => (step === '*' || step === key) && hasValueAt(member, rest),
  )
}
