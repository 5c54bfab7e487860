import type { ForeignCall } from '@surehand/core'
import type { SendingParts } from './sending.ts'

export type Asking = { readonly call: ForeignCall; readonly credential: string | undefined }

const SCHEME = 'server'
const MOST_BYTES = 32 * 1_048_576
// a server that tells of its changes keeps its answer open
const LONGEST_ANSWER_MS = 24 * 60 * 60_000

/** `fetch` as the MCP client wants it, with the tenant's credential, through egress; bodies come as they are sent. */
export function egressFetch({ egress, vault }: SendingParts, { call, credential }: Asking): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const signal = init.signal ?? new AbortController().signal
    const headers = Object.fromEntries(new Headers(init.headers))
    const body = init.body === undefined || init.body === null ? undefined : String(init.body)
    const request = {
      method: init.method ?? 'GET',
      url: String(input instanceof Request ? input.url : input),
      headers,
      ...(body === undefined ? {} : { body }),
      security: credential === undefined ? [] : [[{ scheme: SCHEME, scopes: [], type: 'http', http: 'bearer' } as const]],
      maxBytes: MOST_BYTES,
    }
    const references = credential === undefined ? {} : { [SCHEME]: credential }
    const secured = await vault.applySecurity(request, call, { references, signal })
    const answer = await egress.stream({
      tenant: call.caller.tenant,
      url: secured.request.url,
      method: secured.request.method,
      headers: secured.request.headers,
      credentialHeaders: secured.credentialHeaders,
      credentialQuery: secured.credentialQuery,
      ...(body === undefined ? {} : { body }),
      signal,
      maxBytes: MOST_BYTES,
      limits: { wholeMs: LONGEST_ANSWER_MS },
    })
    if (answer.status === 401) await secured.refused()
    const isEmpty = answer.status === 204 || answer.status === 304
    if (isEmpty) answer.discard()
    // erased: Node's stream of bytes is a body
    const stream = isEmpty ? null : (ReadableStream.from(answer.body) as ConstructorParameters<typeof Response>[0])
    return new Response(stream ?? null, { status: answer.status, headers: answer.headers })
  }
}
