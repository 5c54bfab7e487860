import type { Token } from './arguments.ts'
import type { ToolFacts } from './backend.ts'
import { wordValue } from './field-value.ts'
import { type Field, fieldsOf } from './fields.ts'
import { flagsToInput, type InputObject, putField, secretInArguments } from './flags-to-input.ts'
import { LEFT } from './prompt.ts'
import { readInput } from './read-input.ts'
import { secretGiven } from './secret-given.ts'
import { isInteractive, type Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

export type InputWords = {
  readonly tool: string
  readonly toolFlags: readonly Token[]
  /** What `--input` said. */
  readonly given: string | undefined
  /** `FIELD=VARIABLE`. */
  readonly fromEnv: readonly string[]
}

type Surroundings = { readonly terminal: Terminal; readonly env: Readonly<Record<string, string | undefined>> }

/** The input as JSON text. A text that came whole goes on as it came: whoever keeps the contract parses it, and sees every oddity. */
export async function buildInput(
  words: InputWords,
  facts: ToolFacts | undefined,
  { terminal, env }: Surroundings,
): Promise<string | typeof LEFT> {
  const text = words.given === undefined ? undefined : await readInput(words.given, terminal.stdin)
  if (facts === undefined) return text ?? '{}'
  const fields = fieldsOf(facts.input, facts.secrets)
  if (text !== undefined && isArgument(words.given)) refuseSecrets(text, facts.secrets, words.tool)
  const mayAsk = isInteractive(terminal) && words.given === undefined
  if (text !== undefined && words.toolFlags.length === 0 && words.fromEnv.length === 0) return text
  const onto = text === undefined ? {} : objectOf(text, words.tool)
  const input = flagsToInput(words.toolFlags, { tool: words.tool, fields, secrets: facts.secrets, onto })
  for (const pair of words.fromEnv) putFromEnv(input, pair, { fields, env, tool: words.tool })
  if (!mayAsk) return JSON.stringify(input)
  const { askFields, missingFields } = await import('./ask-fields.ts')
  const { promptOn } = await import('./prompt.ts')
  const asked = await askFields(input, missingFields(input, fields), { prompt: promptOn(terminal), terminal })
  return asked === LEFT ? LEFT : JSON.stringify(asked)
}

function isArgument(given: string | undefined): boolean {
  return given !== undefined && given !== '-' && !given.startsWith('@')
}

function refuseSecrets(text: string, secrets: readonly string[], tool: string): void {
  const name = secretGiven(parsed(text), secrets)
  if (name !== undefined) throw secretInArguments({ name }, tool)
}

// what is no JSON is refused by whoever parses it, with nothing of it told
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function objectOf(text: string, tool: string): InputObject {
  const value = parsed(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as InputObject
  throw new UsageError('Flags are laid over --input: for that it must be a JSON object.', `surehand show ${tool}`)
}

type EnvParts = { readonly fields: readonly Field[]; readonly env: Surroundings['env']; readonly tool: string }

function putFromEnv(input: InputObject, pair: string, { fields, env, tool }: EnvParts): void {
  const mend = `surehand show ${tool}`
  const equals = pair.indexOf('=')
  const name = pair.slice(0, equals)
  const variable = pair.slice(equals + 1)
  const field = fields.find((candidate) => candidate.name === name)
  if (equals < 1 || field === undefined)
    throw new UsageError(`--field-from-env is FIELD=VARIABLE, with a field of ${tool}; "${pair}" is not.`, mend)
  const text = env[variable]
  if (text === undefined) throw new UsageError(`The environment has no variable ${variable}.`, `export ${variable}=…`)
  // its value is not told: it may be the secret
  const value = wordValue(text, field.isList ? { kind: 'json' } : field.form)
  if (value === undefined) throw new UsageError(`${variable} holds nothing that ${field.name} could take.`, mend)
  putField(input, field, value)
}
