import type { EmulatorReply, EmulatorRequest } from '@surehand/testing'
import { type Emulator, startEmulator } from '@surehand/testing'
import { authorize, type GrantsOptions, issueTokens, openGrants } from './grants.ts'

export type AuthorizationServer = Emulator & {
  /** Acts as the person in the browser: consents, and returns the parameters of the redirect. */
  readonly consent: (url: string) => Promise<{ readonly state: string; readonly code: string }>
  /** The grant types that the token endpoint was asked for, in order. */
  readonly requestedGrants: () => readonly string[]
  /** Revokes every consent and token. */
  readonly revoke: () => void
}

/** An OAuth server and an API behind it, after RFC 6749, 7636 (S256 only) and 9700, for tests. */
export async function startAuthorizationServer(
  options: GrantsOptions,
): Promise<AuthorizationServer> {
  const grants = openGrants(options)
  const requestedGrants: string[] = []
  const emulator = await startEmulator({
    routes: [
      { method: 'GET', path: '/authorize', handle: ({ query }) => authorize(grants, query) },
      {
        method: 'POST',
        path: '/token',
        handle(request) {
          requestedGrants.push(new URLSearchParams(request.body).get('grant_type') ?? '')
          return issueTokens(grants, request)
        },
      },
      { method: 'GET', path: '/api/echo', handle: echo },
      {
        method: 'GET',
        path: '/api/me',
        handle: ({ headers }) => {
          const until = grants.accesses.get((headers.authorization ?? '').replace('Bearer ', ''))
          return until !== undefined && until > grants.clock.now()
            ? { body: { ok: true } }
            : { status: 401 }
        },
      },
    ],
  })
  return {
    ...emulator,
    async consent(url) {
      const answer = await fetch(url, { redirect: 'manual' })
      const back = new URL(answer.headers.get('location') ?? '').searchParams
      return { state: back.get('state') ?? '', code: back.get('code') ?? '' }
    },
    requestedGrants: () => requestedGrants,
    revoke() {
      grants.refreshes.clear()
      grants.accesses.clear()
    },
  }
}

/** A provider that answers with everything it was sent. */
function echo({ method, headers, query, body }: EmulatorRequest): EmulatorReply {
  const pair = Buffer.from((headers.authorization ?? '').replace('Basic ', ''), 'base64').toString()
  return {
    headers: {
      'x-echo': `${headers.authorization ?? ''} ${headers['x-api-key'] ?? ''} ${headers.cookie ?? ''}`,
    },
    body: {
      method,
      headers,
      query: Object.fromEntries(query),
      search: query.toString(),
      body,
      pair,
      nested: JSON.stringify({ headers, pair }),
    },
  }
}
