import type { Tool } from '@surehand/core'
import { modelInput } from '@surehand/core/host'
import { digestOf, isRecord, redact } from '@surehand/core/internal'

type Args = Readonly<Record<string, unknown>>

/** What a person made of the input. Secrets are digests in both: they stand in checkpoints. */
export type Edit = {
  /** What stood for the model's own words; nothing where somebody had changed them before. */
  readonly shown: Args
  readonly args: Args
}

export type Edited = { readonly input: unknown } | { readonly problem: string }

const NEW_SECRET =
  'A secret cannot be given here, where checkpoints would keep it: leave it as it is shown, or reject.'
const MISPLACED = 'What is shown of a secret is not the secret, and stands where none belongs.'

/** The input after an edit: what was left as it was shown is what the model said, and a digest stands for its secret, wherever it went. */
export function editedInput(tool: Tool, input: unknown, { shown, args }: Edit): Edited {
  const said = isRecord(input) ? input : {}
  const given = modelInput(tool, args) as Args
  const isLeft = (field: string) =>
    Object.hasOwn(shown, field) && isSame(given[field], shown[field])
  const changed = restoreNames(pickFields(given, (field) => !isLeft(field)))
  const secrets = secretsOf(tool, said)
  let problem: string | undefined
  const restored = redact(tool.input.shape, changed, (digest) => {
    const known = typeof digest === 'string' ? secrets.get(digest) : undefined
    if (known === undefined) problem = NEW_SECRET
    return known?.secret
  })
  if (mentions(redact(tool.input.shape, changed), secrets)) problem = MISPLACED
  // a default that was left alone was not said by the model, and is one again
  return problem === undefined
    ? { input: { ...pickFields(said, (field) => isLeft(field)), ...(restored as Args) } }
    : { problem }
}

type Secrets = ReadonlyMap<string, { readonly secret: unknown }>

function secretsOf(tool: Tool, input: Args): Secrets {
  const found = new Map<string, { readonly secret: unknown }>()
  redact(tool.input.shape, input, (secret) => found.set(digestOf(secret), { secret }))
  return found
}

function mentions(value: unknown, secrets: Secrets): boolean {
  if (typeof value === 'string') return secrets.has(value)
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((member) => mentions(member, secrets))
  )
}

function pickFields(args: Args, isWanted: (field: string) => boolean): Args {
  return Object.fromEntries(Object.entries(args).filter(([field]) => isWanted(field)))
}

const SPELLED = /⟨U\+([0-9A-F]{4,6})⟩/g

/** Deciders see what is invisible spelled out (`visibleText`); what they send back means the characters, not their spelling. */
function restoreNames(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(
      SPELLED,
      (text, code: string) => characterOf(Number.parseInt(code, 16)) ?? text,
    )
  if (Array.isArray(value)) return value.map(restoreNames)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [restoreNames(name), restoreNames(member)]),
  )
}

function characterOf(codePoint: number): string | undefined {
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : undefined
}

// both come from JSON, and an editor may have changed the order of fields
function isSame(left: unknown, right: unknown): boolean {
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => isSame(item, right[index]))
  if (!isRecord(left) || !isRecord(right)) return left === right
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSame(left[name], right[name]))
  )
}
