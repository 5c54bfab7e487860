import type { EmulatorReply, EmulatorRequest } from '@surehand/testing'

/** An error as Google writes it. */
export function googleFailure(code: number, status: string, message: string): EmulatorReply {
  return { status: code, body: { error: { code, message, status } } }
}

/** The answer to a request without a key; undefined where there is one. */
export function withoutKey({ headers }: EmulatorRequest): EmulatorReply | undefined {
  return headers['x-goog-api-key'] === undefined
    ? googleFailure(
        403,
        'PERMISSION_DENIED',
        "Method doesn't allow unregistered callers. Please use API Key.",
      )
    : undefined
}
