import { isToolError, ToolError } from '@surehand/core'
import { fromProviderStatus } from '@surehand/core/host'
import { type DAVResponse, davRequest } from 'tsdav'
import { type Exchange, exchange, unreadable } from './exchange.ts'

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
export type DavQuestion = DavRequest & {
  readonly method: 'PROPFIND' | 'REPORT'
  readonly depth: '0' | '1'
  readonly body: object
}

/** One request of plain HTTP, with the account's password. */
export function ask(
  account: CaldavAccount,
  { tenant, url, signal }: DavRequest,
  init: RequestInit,
): Promise<Exchange> {
  // An answer may name any address: the password is sent only to its own server.
  if (new URL(url).origin !== new URL(account.url).origin)
    throw new ToolError(
      'TOOL_EXTERNAL_SERVICE_ERROR',
      `${PROVIDER} points to another one, which is not followed.`,
      { effect: 'none' },
    )
  const headers = {
    ...init.headers,
    authorization: `Basic ${btoa(binary(`${account.username}:${account.password}`))}`,
  }
  return exchange({
    fetch: account.fetchFor(tenant),
    provider: PROVIDER,
    url,
    init: { ...init, headers, redirect: 'manual', signal },
  })
}

// The parser accepts a truncated answer, and half of a calendar looks free.
const WHOLE = /(?:<\/(?:[\w.-]+:)?multistatus\s*>|<(?:[\w.-]+:)?multistatus\b[^<>]*\/>)\s*$/

/** One question in XML; tsdav writes it and reads the answer. */
export async function question(
  account: CaldavAccount,
  asking: DavQuestion,
): Promise<readonly DAVResponse[]> {
  try {
    return await davRequest({
      url: asking.url,
      init: { method: asking.method, headers: { depth: asking.depth }, body: asking.body },
      fetch: async (url, init) => {
        const { status, headers, text } = await ask(
          account,
          { ...asking, url: String(url) },
          init ?? {},
        )
        if (status !== 207) throw refusedWith(status)
        if (!WHOLE.test(text)) throw unreadable(PROVIDER, new Error('the answer does not end'))
        return new Response(text, {
          status,
          headers: { 'content-type': headers.get('content-type') ?? 'text/xml' },
        })
      },
    })
  } catch (thrown) {
    throw isToolError(thrown) ? thrown : unreadable(PROVIDER, thrown)
  }
}

export function refusedWith(status: number): ToolError {
  return fromProviderStatus(status, `${PROVIDER} answered with the status ${status}.`)
}

// Basic authentication encodes bytes: a password may contain non-ASCII characters.
const binary = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text))
