import { isToolError, ToolError } from '@surehand/core'
import { toToolError } from '@surehand/core/internal'
import { HIDDEN_SECRET } from './secret.ts'
import type { SecretRemover } from './secret-remover.ts'
import type { SourceAnswer } from './source-request.ts'

/** Removes secrets from what providers answer, since a provider may repeat them. */
export type Scrubber = {
  readonly text: (text: string) => string
  /** Scrubs every string, key and number of a JSON value. */
  readonly json: (value: unknown) => unknown
  /** The same error, with its message, details and causes scrubbed. */
  readonly error: (thrown: unknown) => ToolError
  readonly answer: (answer: SourceAnswer) => SourceAnswer
}

const MAX_CAUSE_DEPTH = 5

export function createScrubber(removers: readonly SecretRemover[]): Scrubber {
  const text = (given: string): string =>
    removers.reduce((clean, remove) => remove(clean, HIDDEN_SECRET), given)

  function json(value: unknown): unknown {
    if (typeof value === 'string') return text(value)
    if (typeof value === 'number')
      return text(String(value)) === String(value) ? value : HIDDEN_SECRET
    if (Array.isArray(value)) return value.map(json)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [text(key), json(member)]),
    )
  }

  // A new error takes its place: the fields of a vendor's error may hold the whole request.
  function cause(thrown: unknown, depth: number): unknown {
    if (!(thrown instanceof Error) || depth > MAX_CAUSE_DEPTH)
      return typeof thrown === 'string' ? text(thrown) : undefined
    const clean = new Error(
      text(thrown.message),
      thrown.cause === undefined ? undefined : { cause: cause(thrown.cause, depth + 1) },
    )
    clean.name = text(thrown.name)
    clean.stack = text(thrown.stack ?? '')
    return 'code' in thrown && typeof thrown.code === 'string'
      ? Object.assign(clean, { code: text(thrown.code) })
      : clean
  }

  return {
    text,
    json,
    error(thrown) {
      const error = toToolError(thrown)
      return new ToolError(error.code, text(error.message), {
        // `json` returns `unknown`, but an object stays an object.
        ...(error.details === undefined
          ? {}
          : { details: json(error.details) as Record<string, unknown> }),
        ...(error.suggestions === undefined ? {} : { suggestions: error.suggestions.map(text) }),
        ...(error.effect === undefined ? {} : { effect: error.effect }),
        data: json(error.data),
        ...(error.cause === undefined
          ? {}
          : { cause: cause(isToolError(thrown) ? error.cause : thrown, 0) }),
      })
    },
    answer(answer) {
      // As Latin-1, one character per byte, so that binary data comes out unchanged.
      const body = Buffer.from(
        answer.body.buffer,
        answer.body.byteOffset,
        answer.body.byteLength,
      ).toString('latin1')
      const clean = text(body)
      const headers = Object.fromEntries(
        Object.entries(answer.headers).map(([name, value]) => [text(name), text(value)]),
      )
      return {
        ...answer,
        headers,
        body: clean === body ? answer.body : new Uint8Array(Buffer.from(clean, 'latin1')),
      }
    },
  }
}
