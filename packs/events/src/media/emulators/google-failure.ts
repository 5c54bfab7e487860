import type { EmulatorReply, EmulatorRequest } from '@surehand/testing'

/** An error in Google's format. */
export function googleFailure(code: number, status: string, message: string): EmulatorReply {
  return { status: code, body: { error: { code, message, status } } }
}

/** The answer to a request without a key; undefined if it has one. */
export function withoutKey({ headers }: EmulatorRequest): EmulatorReply | undefined {
  return headers['x-goog-api-key'] === undefined
    ? googleFailure(
        403,
        'PERMISSION_DENIED',
        "Method doesn't allow unregistered callers. Please use API Key.",
      )
    : undefined
}
