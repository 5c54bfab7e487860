import { ToolError } from '@surehand/core'
import type { AdminItem } from '@surehand/core/ports'
import type { IdentityApi } from '@surehand/identity'
import { z } from 'zod'
import type { Surface } from '../options.ts'
import { expectedVersion, parseBody, readJson } from '../parse-request.ts'
import type { Route } from '../route.ts'

const POLICY_ID = 'tenant'
const LinkForm = z.strictObject({
  principal: z.string().min(1).max(128),
  roles: z.array(z.string().min(1).max(200)).max(50).default([]),
  life_seconds: z
    .int()
    .min(60)
    .max(7 * 86_400)
    .default(3_600),
})

/** Administration at run time. The identity API and the runtime check who may do what. */
export const administrationRoutes: readonly Route[] = [
  listRoute(
    'tenants',
    'Lists the tenants, for administrators of the home tenant.',
    (api) => api.tenants,
  ),
  putRoute('tenants', 'Creates or changes a tenant.', (api) => api.tenants),
  listRoute('principals', 'Lists the principals of the tenant.', (api) => api.principals),
  putRoute(
    'principals',
    'Creates a principal or changes its roles and capabilities.',
    (api) => api.principals,
  ),
  listRoute('tokens', 'Lists the tokens, without their secrets.', (api) => api.tokens),
  {
    method: 'POST',
    path: '/v1/tokens',
    command: 'tokens.create',
    summary: 'Creates a token. Its secret is shown only in this response.',
    handle: async (context, caller, surface) =>
      identityApiOf(surface).tokens.create(caller, await readJson(context, surface)),
  },
  {
    method: 'DELETE',
    path: '/v1/tokens/:id',
    command: 'tokens.revoke',
    summary: 'Revokes a token, on every node within a second.',
    async handle(context, caller, surface) {
      const id = context.req.param('id') ?? ''
      await identityApiOf(surface).tokens.revoke(caller, id)
      return { id, revoked: true }
    },
  },
  {
    method: 'POST',
    path: '/v1/links',
    command: 'links.create',
    summary: 'Creates a link that signs a person in once.',
    async handle(context, caller, surface) {
      const { life_seconds, ...link } = await parseBody(context, surface, LinkForm)
      const text = await identityApiOf(surface).links.create(caller, {
        ...link,
        lifeSeconds: life_seconds,
      })
      return { url: `${surface.origin}/sign-in/${text}` }
    },
  },
  {
    method: 'GET',
    path: '/v1/policy',
    command: 'policy.get',
    summary: "Returns the tenant's policy.",
    handle: async (_, caller, { runtime }) =>
      policyView(await runtime.administration.get(caller, 'policy', POLICY_ID)),
  },
  {
    method: 'PUT',
    path: '/v1/policy',
    command: 'policy.put',
    summary: "Sets the tenant's policy. A policy can only tighten what tools declare.",
    async handle(context, caller, surface) {
      const expected = expectedVersion(context)
      const change = {
        kind: 'policy',
        id: POLICY_ID,
        value: await readJson(context, surface),
        ...(expected === undefined ? {} : { expected }),
      } as const
      return policyView(await surface.runtime.administration.change(caller, change))
    },
  },
]

type Kind = 'tenants' | 'principals' | 'tokens'
type Lister = { readonly list: IdentityApi[Kind]['list'] }
type Putter = { readonly put: IdentityApi['tenants']['put'] | IdentityApi['principals']['put'] }

function listRoute(kind: Kind, summary: string, of: (api: IdentityApi) => Lister): Route {
  return {
    method: 'GET',
    path: `/v1/${kind}`,
    command: `${kind}.list`,
    summary,
    handle: async (_, caller, surface) => ({
      [kind]: await of(identityApiOf(surface)).list(caller),
    }),
  }
}

function putRoute(kind: Kind, summary: string, of: (api: IdentityApi) => Putter): Route {
  return {
    method: 'PUT',
    path: `/v1/${kind}/:id`,
    command: `${kind}.put`,
    summary: `${summary} If-Match carries the version that you have read.`,
    handle: async (context, caller, surface) =>
      of(identityApiOf(surface)).put(
        caller,
        context.req.param('id') ?? '',
        await readJson(context, surface),
        expectedVersion(context),
      ),
  }
}

function policyView(item: AdminItem | undefined): object {
  return item === undefined
    ? { policy: null, version: null }
    : { policy: JSON.parse(item.value), version: item.version }
}

function identityApiOf({ identityApi }: Surface): IdentityApi {
  if (identityApi === undefined)
    throw new ToolError(
      'TOOL_TEMPORARILY_DISABLED',
      'This server does not manage people and tokens. Start it with the identity API to use this path.',
    )
  return identityApi
}
