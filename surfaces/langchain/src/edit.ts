import type { Tool } from '@surehand/core'
import { modelInput } from '@surehand/core/host'
import { digestOf, isRecord, redact } from '@surehand/core/internal'

type Args = Readonly<Record<string, unknown>>

/**
 * An edit of the input by a person. Secrets appear as digests in both fields, because checkpoints
 * store them.
 */
export type Edit = {
  /** The model's input as it was shown; empty if it had been edited on the decision page before. */
  readonly shown: Args
  readonly args: Args
}

export type EditResult = { readonly input: unknown } | { readonly problem: string }

const NEW_SECRET =
  'A secret cannot be given here, because checkpoints would store it. Leave it as it is shown, or reject the call.'
const MISPLACED =
  'The digest of a secret was moved to a field that is not secret. Put it back where it was.'

/**
 * The input after an edit: fields left as shown keep the model's value, and a digest is replaced by
 * its secret wherever it was moved.
 */
export function editedInput(tool: Tool, input: unknown, { shown, args }: Edit): EditResult {
  const original = isRecord(input) ? input : {}
  const given = modelInput(tool, args) as Args
  const isLeft = (field: string) =>
    Object.hasOwn(shown, field) && isSame(given[field], shown[field])
  const changed = restoreInvisible(pickFields(given, (field) => !isLeft(field)))
  const secrets = secretsOf(tool, original)
  let problem: string | undefined
  const restored = redact(tool.input.shape, changed, (digest) => {
    const known = typeof digest === 'string' ? secrets.get(digest) : undefined
    if (known === undefined) problem = NEW_SECRET
    return known?.secret
  })
  if (mentions(redact(tool.input.shape, changed), secrets)) problem = MISPLACED
  // A default that was shown and left unchanged is not part of the input; the schema adds it again.
  return problem === undefined
    ? { input: { ...pickFields(original, (field) => isLeft(field)), ...(restored as Args) } }
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

const SPELLED_OUT = /⟨U\+([0-9A-F]{4,6})⟩/g

/**
 * People see invisible characters spelled out (`visibleText`); the edited text is converted back to
 * the characters.
 */
function restoreInvisible(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(
      SPELLED_OUT,
      (text, code: string) => characterOf(Number.parseInt(code, 16)) ?? text,
    )
  if (Array.isArray(value)) return value.map(restoreInvisible)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      restoreInvisible(name),
      restoreInvisible(member),
    ]),
  )
}

function characterOf(codePoint: number): string | undefined {
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : undefined
}

// Both values come from JSON, and an editor may have changed the order of fields.
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
