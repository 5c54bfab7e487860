import type { Caller, ForeignCall } from '@surehand/core'
import type { Egress } from '../egress/egress.ts'
import { type FetchThroughOptions, fetchThrough } from '../egress/fetch-through.ts'
import type { SecurityNeed } from '../source/source-request.ts'
import type { Vault } from './vault.ts'

/** Whose account a request is sent with: the credential of that name, of that tenant, and of that person where each has their own. */
export type Account = { readonly credential: string; readonly tenant: string; readonly principal: string }

export type AccountFetchParts = { readonly egress: Egress; readonly vault: Pick<Vault, 'applySecurity'> }

const SCHEME = 'account'
const NEED: SecurityNeed = { scheme: SCHEME, scopes: [], type: 'http', http: 'bearer' }

/**
 * `fetch` with somebody's account. Tokens are renewed before they run out; one that is refused all the same is renewed and the request sent
 * once more: whoever answers 401 has done nothing.
 */
export function accountFetch(
  { egress, vault }: AccountFetchParts,
  account: Account,
  options: FetchThroughOptions,
): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const signal = init.signal ?? new AbortController().signal
    const request = {
      method: init.method ?? 'GET',
      url: String(input instanceof Request ? input.url : input),
      headers: Object.fromEntries(new Headers(init.headers)),
      security: [[NEED]],
      // how long an answer may be is egress's business, below
      maxBytes: 0,
    }
    const secure = () => vault.applySecurity(request, callOf(account), { references: { [SCHEME]: account.credential }, signal })
    const send = async ({ request: secured, credentialHeaders, credentialQuery, scrubber }: Awaited<ReturnType<typeof secure>>) =>
      fetchThrough(egress, { ...options, credentialHeaders, credentialQuery })(secured.url, { ...init, headers: secured.headers }).catch(
        (thrown: unknown) => {
          throw scrubber.error(thrown)
        },
      )
    const first = await secure()
    const answer = await send(first)
    if (answer.status !== 401) return answer
    await first.refused()
    const second = await secure()
    // the same once more would be refused once more
    if (second.request.headers.authorization === first.request.headers.authorization) return answer
    await answer.body?.cancel()
    return send(second)
  }
}

// a pack's provider asks like a call, so that the same credentials and rules hold
function callOf({ credential, tenant, principal }: Account): ForeignCall {
  const caller: Caller = { tenant, principal, actor: 'user', roles: [], capabilities: [] }
  return { tool: `${credential}.account`, input: {}, caller, callId: '', idempotencyKey: '' }
}
