import type { Token } from './arguments.ts'
import type { ToolFacts } from './backend.ts'
import { CANCELLED } from './cancelled.ts'
import { parseValue } from './field-value.ts'
import { fieldsOf } from './fields.ts'
import { findSecret } from './find-secret.ts'
import {
  type CommandHint,
  flagsToInput,
  type InputObject,
  type InputOptions,
  secretInArguments,
  setField,
} from './flags-to-input.ts'
import { readInput } from './read-input.ts'
import { isInteractive, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** Fields as they are written on the line. */
export type FieldArguments = {
  readonly flags: readonly Token[]
  /** `FIELD=VARIABLE`. */
  readonly fromEnv: readonly string[]
}

export type InputArguments = FieldArguments & {
  readonly tool: string
  /** What `--input` said. */
  readonly given: string | undefined
}

export type InputContext = {
  readonly terminal: Terminal
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The input as JSON text. A text that came whole goes on as it came: whoever keeps the contract parses it, and sees every oddity. */
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
  const { promptOn } = await import('./prompt.ts')
  const asked = await askFields(input, missingFields(input, fields), {
    prompt: promptOn(terminal),
    terminal,
  })
  return asked === CANCELLED ? CANCELLED : JSON.stringify(asked)
}

/** Does it stand in the arguments themselves? */
export function isArgument(given: string | undefined): boolean {
  return given !== undefined && given !== '-' && !given.startsWith('@')
}

/** Fields laid over what is there already. */
export function mergeFields(
  words: FieldArguments,
  flags: InputOptions,
  env: InputContext['env'],
): InputObject {
  const input = flagsToInput(words.flags, flags)
  for (const pair of words.fromEnv) putFromEnv(input, pair, { flags, env })
  return input
}

/** What stands in the arguments everybody on the machine can read. */
export function refuseSecrets(text: string, secrets: readonly string[], about: CommandHint): void {
  const name = findSecret(tryParseJson(text), secrets)
  if (name !== undefined) throw secretInArguments({ name }, about)
}

// what is no JSON is refused by whoever parses it, with nothing of it told
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
    'Flags are laid over --input: for that it must be a JSON object.',
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
      `--field-from-env is FIELD=VARIABLE, with a field that is there; "${pair}" is not.`,
      about.suggestion,
    )
  const text = env[variable]
  if (text === undefined)
    throw new UsageError(`The environment has no variable ${variable}.`, `export ${variable}=…`)
  // its value is not told: it may be the secret
  const value = parseValue(text, field.isList ? { kind: 'json' } : field.form)
  if (value === undefined)
    throw new UsageError(
      `${variable} holds nothing that ${field.name} could take.`,
      about.suggestion,
    )
  setField(input, field, value)
}
