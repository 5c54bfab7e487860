import { ToolError } from '@surehand/core'
import type { ListedCredential } from '@surehand/vault'
import type { HttpVault, Surface } from '../options.ts'
import { consentPath } from '../page/consent-pages.ts'
import { expectedVersion, readJson } from '../parse-request.ts'
import type { Route } from '../route.ts'

/** The credentials that tenant tools authenticate with. Secrets are stored and never returned. */
export const credentialRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/credentials',
    command: 'credentials.list',
    summary: 'Lists the credentials of the tenant, without their secrets.',
    handle: async (_, caller, surface) => ({
      credentials: (await vaultOf(surface).credentials.list(caller)).map(view),
    }),
  },
  {
    method: 'PUT',
    path: '/v1/credentials/:id',
    command: 'credentials.put',
    summary: 'Creates or replaces a credential. If-Match carries the version that you have read.',
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
    ...(problem === undefined
      ? {}
      : { trouble: { why: problem.reason, mend: problem.suggestions } }),
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
