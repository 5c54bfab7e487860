import type { Caller } from '@surehand/core'
import type { ForeignCall } from '@surehand/core/host'
import type { Egress } from '@surehand/egress'
import { type FetchThroughOptions, fetchThrough, readTarget } from '@surehand/egress'
import type { Secured } from './apply-security.ts'
import { scrubResponse } from './scrub-response.ts'
import { shortened } from './shortened.ts'
import type { SecurityNeed } from './source-request.ts'
import type { Vault } from './vault.ts'

/** Whose account a request is sent with: the credential of that name, of that tenant, and of that person where each has their own. */
export type Account = {
  readonly credential: string
  readonly tenant: string
  readonly principal: string
}

export type AccountFetchParts = {
  readonly egress: Egress
  readonly vault: Pick<Vault, 'applySecurity'>
}

const SCHEME = 'account'
const NEED: SecurityNeed = { scheme: SCHEME, scopes: [], type: 'http', http: 'bearer' }

/**
 * `fetch` with somebody's account. Tokens are renewed before they run out; one that is refused all the same is renewed and the request sent
 * once more: whoever answers 401 has done nothing. What comes back, answer or error, has no token in it.
 */
export function accountFetch(
  { egress, vault }: AccountFetchParts,
  account: Account,
  options: FetchThroughOptions,
): typeof globalThis.fetch {
  return async (input, init) => {
    const { address, method, headers, redirect, signal, body } = await wholeRequest(input, init)
    // how long an answer may be is egress's business, below
    const request = { method, url: address, headers, security: [[NEED]], maxBytes: 0 }
    const secure = () =>
      vault.applySecurity(request, callOf(account), {
        references: { [SCHEME]: account.credential },
        signal,
      })
    const send = async ({
      request: { url, headers: secured },
      credentialHeaders,
      credentialQuery,
      scrubber,
    }: Secured): Promise<Response> => {
      try {
        const sending = fetchThrough(egress, { ...options, credentialHeaders, credentialQuery })
        const answer = await sending(url, {
          method,
          headers: secured,
          redirect,
          signal,
          ...(body === undefined ? {} : { body }),
        })
        return await scrubResponse(
          answer.status === 401 ? await shortened(answer) : answer,
          scrubber,
        )
      } catch (thrown) {
        throw scrubber.error(thrown)
      }
    }
    const first = await secure()
    const answer = await send(first)
    if (answer.status !== 401 || isFromElsewhere(answer, first.scrubber.text(address)))
      return answer
    // what could not be noted now is noted at the next one: the provider's answer counts
    await first.refused().catch(() => undefined)
    const second = await secure()
    // the same once more would be refused once more
    return second.request.headers.authorization === first.request.headers.authorization
      ? answer
      : send(second)
  }
}

/** A request that can be sent twice: a body that comes as a stream is there once. */
async function wholeRequest(...[input, init]: Parameters<typeof globalThis.fetch>) {
  // read by us first: the web's own error for a bad URL quotes it, password and all
  const address = readTarget(input instanceof Request ? input.url : String(input)).url.href
  const request = new Request(input, init)
  const { method, redirect } = request
  // the caller's own: that of a request which nobody holds any more may not hear of it
  const signal = init?.signal ?? (input instanceof Request ? input.signal : request.signal)
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer())
  return { address, method, headers: Object.fromEntries(request.headers), redirect, signal, body }
}

// whoever sent us on may have done something before: sent once more, it would be done twice
function isFromElsewhere({ redirected, url }: Response, address: string): boolean {
  return redirected || url !== address
}

// a pack's provider asks like a call, so that the same credentials and rules hold
function callOf({ credential, tenant, principal }: Account): ForeignCall {
  const caller: Caller = { tenant, principal, actor: 'user', roles: [], capabilities: [] }
  return { tool: `${credential}.account`, input: {}, caller, callId: '', idempotencyKey: '' }
}
