import { ToolError } from '@surehand/core'
import type { ListedCredential } from '@surehand/vault'
import type { HttpVault, Surface } from '../options.ts'
import { consentPath } from '../page/consent-pages.ts'
import { expectedVersion, jsonOf } from '../query.ts'
import type { Route } from '../route.ts'

/** What the tools that a house brought show who they are with. Secrets go in and never come out. */
export const credentialRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/credentials',
    command: 'credentials.list',
    summary: 'The credentials of this house, without their secrets.',
    answer: async (_, caller, surface) => ({
      credentials: (await vaultOf(surface).desk.list(caller)).map(view),
    }),
  },
  {
    method: 'PUT',
    path: '/v1/credentials/:id',
    command: 'credentials.put',
    summary: 'Sets a credential. If-Match names the version that was looked at.',
    answer: async (context, caller, surface) =>
      view(
        await vaultOf(surface).desk.put(
          caller,
          context.req.param('id') ?? '',
          await jsonOf(context, surface),
          expectedVersion(context),
        ),
      ),
  },
  {
    method: 'DELETE',
    path: '/v1/credentials/:id',
    command: 'credentials.remove',
    summary:
      'Takes a credential away, with the tokens that were granted with it. If-Match names the version that was looked at.',
    async answer(context, caller, surface) {
      const id = context.req.param('id') ?? ''
      await vaultOf(surface).desk.remove(caller, id, expectedVersion(context) ?? 0)
      return { id, removed: true }
    },
  },
  {
    method: 'POST',
    path: '/v1/credentials/:id/authorize',
    command: 'credentials.authorize',
    summary: 'Where a person goes to agree to what an OAuth credential is for.',
    answer: async (context, _, surface) => ({
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
  trouble,
}: ListedCredential): object {
  const at = new Date(updatedAt).toISOString()
  return {
    id,
    version,
    updated_at: at,
    state,
    record: record ?? null,
    consents,
    ...(trouble === undefined ? {} : { trouble }),
  }
}

export function vaultOf({ vault }: Surface): HttpVault {
  if (vault === undefined)
    throw new ToolError(
      'TOOL_TEMPORARILY_DISABLED',
      'Credentials are not kept here: this server was started without that.',
    )
  return vault
}
