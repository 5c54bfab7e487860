import { OpenSessionSchema } from '@surehand/edge/api'
import { type OpenSession, publicSessionId } from '@surehand/identity'
import { z } from 'zod'
import { isPageRequest } from '../authenticate-request.ts'
import type { HttpContext } from '../http-env.ts'
import type { Surface } from '../options.ts'
import { PAGE_FIELDS, pageOf, pageReturned, pageView, readPage } from '../paging.ts'
import { parseQuery } from '../parse-request.ts'
import type { Documented, Route } from '../route.ts'
import { identityApiOf } from './administration.ts'

const WHOSE = {
  principal: z
    .string()
    .min(1)
    .max(128)
    .exactOptional()
    .describe('Whose sessions; yours if it is left out. Those of others are for administrators.'),
}
const WhoseQuery = z.strictObject(WHOSE)
const ListQuery = z.strictObject({ ...PAGE_FIELDS, ...WHOSE })

const session: Documented = {
  schema: () => OpenSessionSchema,
  example: {
    id: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
    client: 'Firefox on Linux',
    signed_in_with: 'token',
    started_at: '2026-11-16T08:00:00.000Z',
    last_used_at: '2026-11-16T09:41:00.000Z',
    expires_at: '2026-11-16T16:00:00.000Z',
    is_current: true,
  },
}

/** The sessions of people in browsers. The identity API checks whose they may see and end. */
export const openSessionRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/sessions',
    command: 'sessions.list',
    summary: 'Lists the open sessions of a person in browsers.',
    query: ListQuery,
    returns: pageReturned(session),
    async handle(context, caller, surface) {
      const { principal = caller.principal, ...page } = parseQuery(context, ListQuery)
      const found = await identityApiOf(surface).sessions.list(caller, principal)
      const current = currentSessionId(context, surface)
      return pageView(
        'sessions.list',
        pageOf(found, readPage('sessions.list', page), newestFirst),
        (one) => view(one, current),
      )
    },
  },
  {
    method: 'DELETE',
    path: '/v1/sessions/:id',
    command: 'sessions.end',
    summary: 'Ends a session, on every node at once; its open streams end within a second.',
    query: WhoseQuery,
    returns: {
      schema: () => z.object({ id: z.string(), ended: z.literal(true) }),
      example: { id: (session.example as { readonly id: string }).id, ended: true },
    },
    async handle(context, caller, surface) {
      const { principal = caller.principal } = parseQuery(context, WhoseQuery)
      const id = context.req.param('id') ?? ''
      await identityApiOf(surface).sessions.end(caller, principal, id)
      return { id, ended: true }
    },
  },
  {
    method: 'DELETE',
    path: '/v1/sessions',
    command: 'sessions.endOthers',
    summary: 'Ends all sessions of a person but the one that this request was sent with.',
    query: WhoseQuery,
    returns: { schema: () => z.object({ ended: z.int() }), example: { ended: 2 } },
    async handle(context, caller, surface) {
      const { principal = caller.principal } = parseQuery(context, WhoseQuery)
      const current = currentSessionId(context, surface)
      return {
        ended: await identityApiOf(surface).sessions.endOthers(caller, principal, current),
      }
    },
  },
]

function currentSessionId(context: HttpContext, { sessions }: Surface): string | undefined {
  if (!isPageRequest(context.get('request'))) return undefined
  const current = sessions?.read(context.req.header('cookie'))
  return current && publicSessionId(current)
}

// Pages are in the order of their names: a time that counts down, then the id.
function newestFirst({ startedAt, id }: OpenSession): string {
  return `${String(Number.MAX_SAFE_INTEGER - startedAt).padStart(16, '0')} ${id}`
}

function view(session: OpenSession, current: string | undefined): object {
  const { id, client, signedInWith, startedAt, lastUsedAt, expiresAt } = session
  const time = (at: number): string => new Date(at).toISOString()
  return {
    ...{ id, client },
    signed_in_with: signedInWith,
    started_at: time(startedAt),
    last_used_at: time(lastUsedAt),
    expires_at: time(expiresAt),
    is_current: id === current,
  }
}
