import { ToolError } from '@surehand/core'
import { CredentialForm, CredentialRecord, type ListedCredential } from '@surehand/vault'
import { z } from 'zod'
import type { HttpVault, Surface } from '../options.ts'
import { consentPath } from '../page/consent-pages.ts'
import { PageQuery, pageOf, pageReturned, pageView, readPage } from '../paging.ts'
import { expectedVersion, parseQuery, readJson } from '../parse-request.ts'
import type { Documented, Route } from '../route.ts'

const returned: Documented = {
  schema: () => CredentialView,
  example: {
    id: 'github.bearerAuth',
    version: 1,
    updated_at: '2026-11-16T09:00:00.000Z',
    state: 'sealed',
    record: {
      kind: 'bearer',
      origins: ['https://api.github.com'],
      hint: { lastFour: '9f3c', digest: '0a1b2c3d4e5f' },
      createdBy: 'root',
    },
    consents: { held: 0, needed: 0 },
  },
}

const CredentialView = z
  .object({
    id: z.string(),
    version: z.int().describe('Send it as If-Match with the next change.'),
    updated_at: z.string().meta({ format: 'date-time' }),
    state: z.enum(['sealed', 'unreadable']),
    record: CredentialRecord.nullable(),
    consents: z.object({ held: z.int(), needed: z.int() }),
    problem: z.object({ reason: z.string(), suggestions: z.array(z.string()) }).optional(),
  })
  .meta({ id: 'Credential' })

/** The credentials that tenant tools authenticate with. Secrets are stored and never returned. */
export const credentialRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/credentials',
    command: 'credentials.list',
    summary: 'Lists the credentials of the tenant, without their secrets.',
    query: PageQuery,
    returns: pageReturned(returned),
    async handle(context, caller, surface) {
      const wanted = readPage('credentials.list', parseQuery(context, PageQuery))
      const all = await vaultOf(surface).credentials.list(caller)
      return pageView(
        'credentials.list',
        pageOf(all, wanted, ({ id }) => id),
        view,
      )
    },
  },
  {
    method: 'PUT',
    path: '/v1/credentials/:id',
    command: 'credentials.put',
    summary: 'Creates or replaces a credential. If-Match carries the version that you have read.',
    headers: ['If-Match'],
    body: {
      schema: () => CredentialForm,
      example: {
        kind: 'bearer',
        origins: ['https://api.github.com'],
        token: 'ghp_0123456789abcdef',
      },
    },
    returns: returned,
    handle: async (context, caller, surface) =>
      view(
        await vaultOf(surface).credentials.put(
          caller,
          context.req.param('id') ?? '',
          await readJson(context, surface),
          expectedVersion(context),
        ),
      ),
  },
  {
    method: 'DELETE',
    path: '/v1/credentials/:id',
    command: 'credentials.remove',
    summary:
      'Removes a credential and the tokens granted with it. If-Match carries the version that you have read.',
    headers: ['If-Match'],
    returns: {
      schema: () => z.object({ id: z.string(), removed: z.literal(true) }),
      example: { id: 'github.bearerAuth', removed: true },
    },
    async handle(context, caller, surface) {
      const id = context.req.param('id') ?? ''
      await vaultOf(surface).credentials.remove(caller, id, expectedVersion(context) ?? 0)
      return { id, removed: true }
    },
  },
  {
    method: 'POST',
    path: '/v1/credentials/:id/authorize',
    command: 'credentials.authorize',
    summary: 'Returns the page on which a person authorizes an OAuth credential.',
    returns: {
      schema: () => z.object({ url: z.string() }),
      example: { url: 'https://tools.example/credentials/google/consent' },
    },
    handle: async (context, _, surface) => ({
      url: `${surface.origin}${consentPath(context.req.param('id') ?? '')}`,
    }),
  },
]

function view({
  id,
  version,
  updatedAt,
  state,
  record,
  consents,
  problem,
}: ListedCredential): object {
  const at = new Date(updatedAt).toISOString()
  return {
    id,
    version,
    updated_at: at,
    state,
    record: record ?? null,
    consents,
    ...(problem === undefined ? {} : { problem }),
  }
}

function vaultOf({ vault }: Surface): HttpVault {
  if (vault === undefined)
    throw new ToolError(
      'TOOL_TEMPORARILY_DISABLED',
      'This server does not store credentials. Start it with a vault to use this path.',
    )
  return vault
}
