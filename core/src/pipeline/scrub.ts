import type { Call } from '../call/call.ts'
import type { Progress } from '../call/request.ts'
import { ToolError } from '../call/tool-error.ts'
import { HIDDEN, holdsSecret, secretsIn } from '../define/redact.ts'

// shorter ones stand in every other sentence by chance
const SHORTEST = 4

/** An error without the secrets of its call: a provider may repeat them in its own words. */
export function scrub(error: ToolError, call: Call): ToolError {
  const secrets = secretsOf(call)
  if (!secrets.some((secret) => tells(error, secret))) return error
  return new ToolError(error.code, without(error.message, secrets), {
    ...(error.details === undefined
      ? {}
      : { details: scrubbed(error.details, secrets) as Record<string, unknown> }),
    ...(error.suggestions === undefined
      ? {}
      : { suggestions: error.suggestions.map((suggestion) => without(suggestion, secrets)) }),
    ...(error.effect === undefined ? {} : { effect: error.effect }),
    data: scrubbed(error.data, secrets),
  })
}

/** Tells whoever listens how far a call is, without its secrets: a tool may quote what it was given in the words it reports. */
export function tellProgress(progress: Progress, call: Call): void {
  if (call.onProgress === undefined) return
  const told = scrubProgress(progress, call)
  if (told !== undefined) call.onProgress(told)
}

// undefined for what can't be looked through (a circle, a message that is no text): it might hold a secret, and no work fails for its news
function scrubProgress(progress: Progress, call: Call): Progress | undefined {
  try {
    return progressWithout(progress, secretsOf(call))
  } catch {
    return undefined
  }
}

function progressWithout(progress: Progress, secrets: readonly string[]): Progress {
  if (secrets.length === 0) return progress
  return {
    ...progress,
    ...(progress.message === undefined ? {} : { message: without(progress.message, secrets) }),
    ...(progress.partial === undefined ? {} : { partial: scrubbed(progress.partial, secrets) }),
  }
}

// the longest first: a secret that begins with another would leave its end behind
function secretsOf({ tool, input }: Call): readonly string[] {
  const { shape } = tool.input
  if (!holdsSecret(shape)) return []
  const secrets = secretsIn(shape, input).filter((secret) => secret.length >= SHORTEST)
  return [...new Set(secrets.flatMap(spellingsOf))].toSorted(
    (left, right) => right.length - left.length,
  )
}

// as it is, inside JSON, in an address and in a form: a tool may quote the request it made
function spellingsOf(secret: string): readonly string[] {
  // half a character has no spelling in an address
  const inAddress = encodeURIComponent(secret.toWellFormed())
  return [secret, JSON.stringify(secret).slice(1, -1), inAddress, inAddress.replaceAll('%20', '+')]
}

function tells(error: ToolError, secret: string): boolean {
  return JSON.stringify([error.message, error.details, error.suggestions, error.data]).includes(
    JSON.stringify(secret).slice(1, -1),
  )
}

function scrubbed(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return without(value, secrets)
  if (typeof value === 'number') return secrets.includes(String(value)) ? HIDDEN : value
  if (Array.isArray(value)) return value.map((item) => scrubbed(item, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      without(key, secrets),
      scrubbed(member, secrets),
    ]),
  )
}

function without(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text)
}
