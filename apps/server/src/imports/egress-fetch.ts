import type { ForeignCall } from '@surehand/core/host'
import { fetchThrough } from '@surehand/egress'
import type { OutboundContext } from './create-send.ts'

export type Asking = { readonly call: ForeignCall; readonly credential: string | undefined }

const SCHEME = 'server'
const MOST_BYTES = 32 * 1_048_576
// A server that announces changes keeps its response open.
const LONGEST_ANSWER_MS = 24 * 60 * 60_000

/** A `fetch` for the MCP client: through egress, with the tenant's credential; bodies are streamed. */
export function egressFetch(
  { egress, vault }: OutboundContext,
  { call, credential }: Asking,
): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const signal = init.signal ?? new AbortController().signal
    const request = {
      method: init.method ?? 'GET',
      url: String(input instanceof Request ? input.url : input),
      headers: Object.fromEntries(new Headers(init.headers)),
      security:
        credential === undefined
          ? []
          : [[{ scheme: SCHEME, scopes: [], type: 'http', http: 'bearer' } as const]],
      maxBytes: MOST_BYTES,
    }
    const references = credential === undefined ? {} : { [SCHEME]: credential }
    const secured = await vault.applySecurity(request, call, { references, signal })
    const send = fetchThrough(egress, {
      tenant: call.caller.tenant,
      credentialHeaders: secured.credentialHeaders,
      credentialQuery: secured.credentialQuery,
      maxBytes: MOST_BYTES,
      limits: { totalMs: LONGEST_ANSWER_MS },
    })
    const answer = await send(secured.request.url, {
      ...init,
      headers: secured.request.headers,
      signal,
    })
    if (answer.status === 401) await secured.reportRejected()
    return answer
  }
}
