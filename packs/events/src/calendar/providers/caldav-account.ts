import { isToolError, ToolError } from '@surehand/core'
import { fromProviderStatus } from '@surehand/core/host'
import { type DAVResponse, davRequest } from 'tsdav'
import { type HttpResponse, sendRequest, unreadableAnswer } from './send-request.ts'

export const PROVIDER = 'The CalDAV server'

export type CaldavAccount = {
  /** Where discovery begins: the server, or the account's own address on it. */
  readonly url: string
  readonly username: string
  readonly password: string
  readonly fetchFor: (tenant: string) => typeof globalThis.fetch
}

export type DavRequest = {
  readonly tenant: string
  readonly url: string
  readonly signal: AbortSignal
}
export type DavQuery = DavRequest & {
  readonly method: 'PROPFIND' | 'REPORT'
  readonly depth: '0' | '1'
  readonly body: object
}

/** Sends an HTTP request with the account's password. */
export function sendDav(
  account: CaldavAccount,
  { tenant, url, signal }: DavRequest,
  init: RequestInit,
): Promise<HttpResponse> {
  // An answer may name any address: the password is sent only to its own server.
  if (new URL(url).origin !== new URL(account.url).origin)
    throw new ToolError(
      'TOOL_EXTERNAL_SERVICE_ERROR',
      `${PROVIDER} refers to another server, which is not followed.`,
      { effect: 'none' },
    )
  const headers = {
    ...init.headers,
    authorization: `Basic ${btoa(binary(`${account.username}:${account.password}`))}`,
  }
  return sendRequest({
    fetch: account.fetchFor(tenant),
    provider: PROVIDER,
    url,
    init: { ...init, headers, redirect: 'manual', signal },
  })
}

// The parser accepts a truncated answer, and half of a calendar looks free.
const COMPLETE_ANSWER =
  /(?:<\/(?:[\w.-]+:)?multistatus\s*>|<(?:[\w.-]+:)?multistatus\b[^<>]*\/>)\s*$/

/** Sends a request in XML; tsdav writes it and parses the response. */
export async function queryDav(
  account: CaldavAccount,
  query: DavQuery,
): Promise<readonly DAVResponse[]> {
  try {
    return await davRequest({
      url: query.url,
      init: { method: query.method, headers: { depth: query.depth }, body: query.body },
      fetch: async (url, init) => {
        const { status, headers, text } = await sendDav(
          account,
          { ...query, url: String(url) },
          init ?? {},
        )
        if (status !== 207) throw davStatusError(status)
        if (!COMPLETE_ANSWER.test(text))
          throw unreadableAnswer(PROVIDER, new Error('the response is truncated'))
        return new Response(text, {
          status,
          headers: { 'content-type': headers.get('content-type') ?? 'text/xml' },
        })
      },
    })
  } catch (thrown) {
    throw isToolError(thrown) ? thrown : unreadableAnswer(PROVIDER, thrown)
  }
}

export function davStatusError(status: number): ToolError {
  return fromProviderStatus(status, `${PROVIDER} answered with the status ${status}.`)
}

// Basic authentication encodes bytes: a password may contain non-ASCII characters.
const binary = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text))
