import type { Caller } from '@surehand/core'
import type { ForeignCall } from '@surehand/core/host'
import { type Egress, type FetchThroughOptions, fetchThrough, readTarget } from '@surehand/egress'
import type { SecuredRequest } from './apply-security.ts'
import type { CredentialReferences } from './choose-credentials.ts'
import type { CredentialedRequest } from './place-secret.ts'
import type { Scrubber } from './scrubber.ts'
import type { SecurityNeed, Send, SourceAnswer } from './source-request.ts'
import type { Vault } from './vault.ts'

// Binary bodies are streamed unread: a video does not fit into memory, and no secret is written
// into one as text.
const BINARY =
  /^(?:(?:image|audio|video|font)\/(?!.*\+xml)|application\/(?:octet-stream|pdf|zip|gzip|zstd|wasm)\b)/i

/**
 * Removes credentials that the provider repeats in its response. Text bodies are read whole for
 * that, up to egress's limit.
 */
async function scrubResponse(answer: Response, scrubber: Scrubber): Promise<Response> {
  const headers = new Headers()
  // A header whose name contains a secret is dropped: the scrubbed name would be invalid.
  for (const [name, value] of answer.headers)
    if (scrubber.text(name) === name) headers.append(name, scrubber.text(value))
  if (answer.body === null || BINARY.test(headers.get('content-type') ?? ''))
    return withBody(answer, answer.body, { headers, scrubber })
  const body = new Uint8Array(await answer.arrayBuffer())
  const clean = scrubber.answer({ status: answer.status, headers: {}, body, isCut: false }).body
  if (clean.length !== body.length) headers.delete('content-length')
  return withBody(answer, Buffer.from(clean), { headers, scrubber })
}

type Clean = { readonly headers: Headers; readonly scrubber: Scrubber }

function withBody(
  answer: Response,
  body: Response['body'] | Buffer<ArrayBuffer>,
  { headers, scrubber }: Clean,
): Response {
  const { status, statusText, url, redirected } = answer
  const response = new Response(body, { status, statusText: scrubber.text(statusText), headers })
  // The constructor of `Response` cannot set these.
  return Object.defineProperties(response, {
    url: { value: scrubber.text(url) },
    redirected: { value: redirected },
  })
}

/**
 * The account a request is sent with: a credential of the tenant, with the person's own tokens
 * where each person has their own.
 */
export type Account = {
  readonly credential: string
  readonly tenant: string
  readonly principal: string
}

export type AccountFetchDependencies = {
  readonly egress: Egress
  readonly vault: Pick<Vault, 'applySecurity'>
}

const SCHEME = 'account'
const NEED: SecurityNeed = { scheme: SCHEME, scopes: [], type: 'http', http: 'bearer' }

/**
 * A `fetch` that adds the credentials of an account. Tokens are renewed before they expire. If the
 * provider still answers 401, the token is renewed and the request sent once more, which is safe
 * because a provider that answers 401 has done nothing. Neither responses nor errors contain a
 * token.
 */
export function accountFetch(
  { egress, vault }: AccountFetchDependencies,
  account: Account,
  options: FetchThroughOptions,
): typeof globalThis.fetch {
  return async (input, init) => {
    const { address, method, headers, redirect, signal, body } = await readRequest(input, init)
    // Unused: egress limits the size of the response, below.
    const request = { method, url: address, headers, security: [[NEED]], maxBytes: 0 }
    const secure = () =>
      vault.applySecurity(request, callForAccount(account), {
        references: { [SCHEME]: account.credential },
        signal,
      })
    const send = async ({
      request: { url, headers: secured },
      credentialHeaders,
      credentialQuery,
      scrubber,
    }: SecuredRequest): Promise<Response> => {
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
          answer.status === 401 ? await truncateResponse(answer) : answer,
          scrubber,
        )
      } catch (thrown) {
        throw scrubber.error(thrown)
      }
    }
    const first = await secure()
    const answer = await send(first)
    if (answer.status !== 401 || wasRedirected(answer, first.scrubber.text(address))) return answer
    // If the rejection cannot be stored now, the next 401 stores it; the provider's answer matters
    // more than this error.
    await first.reportRejected().catch(() => undefined)
    const second = await secure()
    // The same token would be rejected again.
    return second.request.headers.authorization === first.request.headers.authorization
      ? answer
      : send(second)
  }
}

/**
 * Reads the whole request, because it may be sent twice and a streamed body can be read only once.
 */
async function readRequest(...[input, init]: Parameters<typeof globalThis.fetch>) {
  // Parsed here first, because the error that `Request` throws for an invalid URL quotes the URL
  // with its password.
  const address = readTarget(input instanceof Request ? input.url : String(input)).url.href
  const request = new Request(input, init)
  const { method, redirect } = request
  // The caller's own signal: the signal of a `Request` that was garbage-collected is not aborted.
  const signal = init?.signal ?? (input instanceof Request ? input.signal : request.signal)
  const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer())
  return { address, method, headers: Object.fromEntries(request.headers), redirect, signal, body }
}

// The server that redirected may have had an effect already: a second request would repeat it.
function wasRedirected({ redirected, url }: Response, address: string): boolean {
  return redirected || url !== address
}

// A pack's provider uses the vault like a call, so that the same credentials and rules apply.
function callForAccount({ credential, tenant, principal }: Account): ForeignCall {
  const caller: Caller = { tenant, principal, actor: 'user', roles: [], capabilities: [] }
  return { tool: `${credential}.account`, input: {}, caller, callId: '', idempotencyKey: '' }
}

const MAX_REJECTION_BYTES = 65_536

/**
 * Reads the beginning of a rejection's body and frees its connection. While the token is renewed
 * the body is not read by anything, and a body that never ends would hold the connection.
 */
async function truncateResponse(answer: Response): Promise<Response> {
  if (answer.body === null) return answer
  const { status, headers, url, redirected } = answer
  const response = new Response(await readBeginning(answer.body), {
    status,
    headers: withoutContentLength(headers),
  })
  // The constructor of `Response` cannot set these.
  return Object.defineProperties(response, {
    url: { value: url },
    redirected: { value: redirected },
  })
}

async function readBeginning(body: ReadableStream<Uint8Array>): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      bytes += chunk.length
      // Leaving the loop cancels the rest of the stream.
      if (bytes > MAX_REJECTION_BYTES) break
    }
  } catch {
    // A body that breaks off is not an error here: the status is what matters.
  }
  return Buffer.concat(chunks).subarray(0, MAX_REJECTION_BYTES)
}

function withoutContentLength(given: Headers): Headers {
  const headers = new Headers(given)
  headers.delete('content-length')
  return headers
}

export type SecuredSendOptions = {
  readonly vault: Vault
  readonly references?: CredentialReferences
  /** Sends the request through egress. */
  readonly exchange: (
    credentialed: CredentialedRequest,
    call: ForeignCall,
    signal: AbortSignal,
  ) => Promise<SourceAnswer>
}

/**
 * Sends requests with the credentials of the call's tenant, and removes them from responses and
 * errors.
 */
export function securedSend({ vault, references = {}, exchange }: SecuredSendOptions): Send {
  return async (request, call, signal) => {
    const { scrubber, reportRejected, ...credentialed } = await vault.applySecurity(request, call, {
      references,
      signal,
    })
    const answer = await exchange(credentialed, call, signal).catch((thrown: unknown) => {
      throw scrubber.error(thrown)
    })
    // If the rejection cannot be stored now, the next 401 stores it; the provider's answer matters
    // more than this error.
    if (answer.status === 401) await reportRejected().catch(() => undefined)
    return scrubber.answer(answer)
  }
}
