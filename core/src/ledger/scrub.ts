import type { Progress } from '../call/request.ts'
import { isUnexpected, ToolError, toToolError } from '../call/tool-error.ts'
import { HIDDEN, holdsSecret, secretsIn } from '../define/redact.ts'
import type { Call } from './call.ts'
import type { LedgerContext } from './context.ts'

/**
 * What a model or a remote caller may learn of something that was thrown. An unexpected exception
 * may quote a connection string or a row of data, so only its code and the call id leave the
 * process; the exception itself goes to the log.
 */
export function toPublicError(
  thrown: unknown,
  callId: string,
  { onUnexpectedError }: Pick<LedgerContext, 'onUnexpectedError'>,
): ToolError {
  const error = toToolError(thrown)
  if (!isUnexpected(error)) return error
  onUnexpectedError(error.cause, callId)
  return new ToolError(error.code, `An unexpected error occurred in the call ${callId}.`, {
    suggestions: [`Tell the operator the call id ${callId}: the details are in the server's log.`],
    cause: error.cause,
  })
}

/**
 * What a call may answer to something that was thrown: a public error without the secrets of its
 * input.
 */
export function toCallError(
  thrown: unknown,
  call: Call,
  context: Pick<LedgerContext, 'onUnexpectedError'>,
): ToolError {
  return scrub(toPublicError(thrown, call.id, context), call)
}

// Shorter secrets occur in ordinary sentences by chance.
const SHORTEST_SECRET = 4

/**
 * Removes the secrets of the call's input from an error: a provider may quote them in its message.
 */
export function scrub(error: ToolError, call: Call): ToolError {
  const secrets = findSecrets(call)
  if (!secrets.some((secret) => mentions(error, secret))) return error
  return new ToolError(error.code, removeSecrets(error.message, secrets), {
    ...(error.details === undefined
      ? {}
      : { details: scrubValue(error.details, secrets) as Record<string, unknown> }),
    ...(error.suggestions === undefined
      ? {}
      : { suggestions: error.suggestions.map((text) => removeSecrets(text, secrets)) }),
    ...(error.effect === undefined ? {} : { effect: error.effect }),
    data: scrubValue(error.data, secrets),
  })
}

/**
 * Reports progress to the caller without the secrets of the input: a tool may quote its input in
 * the message.
 */
export function reportProgress(progress: Progress, call: Call): void {
  if (call.onProgress === undefined) return
  const scrubbed = scrubProgress(progress, call)
  if (scrubbed !== undefined) call.onProgress(scrubbed)
}

// Progress that cannot be searched (cyclic, or a message that is not a string) may hold a secret
// and is dropped; the work goes on.
function scrubProgress(progress: Progress, call: Call): Progress | undefined {
  try {
    return removeFromProgress(progress, findSecrets(call))
  } catch {
    return undefined
  }
}

function removeFromProgress(progress: Progress, secrets: readonly string[]): Progress {
  if (secrets.length === 0) return progress
  return {
    ...progress,
    ...(progress.message === undefined
      ? {}
      : { message: removeSecrets(progress.message, secrets) }),
    ...(progress.partial === undefined ? {} : { partial: scrubValue(progress.partial, secrets) }),
  }
}

// The longest first: replacing a secret that is the beginning of another would leave the end of
// that one behind.
function findSecrets({ tool, input }: Call): readonly string[] {
  const { shape } = tool.input
  if (!holdsSecret(shape)) return []
  const secrets = secretsIn(shape, input).filter((secret) => secret.length >= SHORTEST_SECRET)
  return [...new Set(secrets.flatMap(listSpellings))].toSorted(
    (left, right) => right.length - left.length,
  )
}

// Plain, inside JSON, in a URL and in a form body: a tool may quote the request it sent.
function listSpellings(secret: string): readonly string[] {
  // encodeURIComponent throws for half a surrogate pair.
  const inUrl = encodeURIComponent(secret.toWellFormed())
  return [secret, JSON.stringify(secret).slice(1, -1), inUrl, inUrl.replaceAll('%20', '+')]
}

function mentions(error: ToolError, secret: string): boolean {
  return JSON.stringify([error.message, error.details, error.suggestions, error.data]).includes(
    JSON.stringify(secret).slice(1, -1),
  )
}

function scrubValue(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return removeSecrets(value, secrets)
  if (typeof value === 'number') return secrets.includes(String(value)) ? HIDDEN : value
  if (Array.isArray(value)) return value.map((item) => scrubValue(item, secrets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      removeSecrets(key, secrets),
      scrubValue(member, secrets),
    ]),
  )
}

function removeSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text)
}
