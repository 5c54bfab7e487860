import { ToolError } from '@surehand/core'
import { policyForm } from '@surehand/core/internal'
import { type AdminItem, toPage } from '@surehand/core/ports'
import {
  type IdentityApi,
  PrincipalRecord,
  TenantRecord,
  tokenForm,
  tokenRecord,
} from '@surehand/identity'
import { z } from 'zod'
import type { Surface } from '../options.ts'
import { PageQuery, pageReturned, pageView, readPage } from '../paging.ts'
import { expectedVersion, parseBody, parseQuery, readJson } from '../parse-request.ts'
import type { Documented, Route } from '../route.ts'

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

const Version = z.int().min(1).describe('Send it as If-Match with the next change.')

function recordOf(name: string, id: string, { schema, example }: Documented): Kept {
  return {
    body: { schema, example },
    returned: {
      schema: () => describeRecord(name, schema()),
      example: { id, version: 1, record: example },
    },
  }
}

function describeRecord(name: string, record: z.ZodType, beside: z.ZodRawShape = {}): z.ZodType {
  return z.object({ id: z.string(), version: Version, record, ...beside }).meta({ id: name })
}

type Kept = { readonly body: Documented; readonly returned: Documented }

const tenant = recordOf('Tenant', 'globex', {
  schema: () => TenantRecord,
  example: { name: 'Globex', disabled: false },
})
const principal = recordOf('Principal', 'ann', {
  schema: () => PrincipalRecord,
  example: { roles: ['user'], capabilities: ['mail.send'], disabled: false },
})
const token: Kept = {
  body: {
    schema: tokenForm,
    example: { principal: 'ann', name: 'laptop', actor: 'ai_agent', expiresInSeconds: 2_592_000 },
  },
  returned: {
    schema: () =>
      describeRecord('Token', tokenRecord().omit({ hash: true }), {
        lastUsedAt: z.number().nullable().describe('To the minute; null where it was never used.'),
      }),
    example: {
      id: '01jd3k8m2nq4r5s6t7v8w9x0yz',
      version: 1,
      record: {
        principal: 'ann',
        name: 'laptop',
        actor: 'ai_agent',
        lastFour: '9f3c',
        createdBy: 'root',
        createdAt: 1_794_823_200_000,
      },
      lastUsedAt: 1_794_909_600_000,
    },
  },
}

const policy: Documented = {
  schema: () => policyForm(),
  example: { approvals: [{ tools: 'shop.*', kind: 'consent' }], disabledTools: ['mail.bulk'] },
}
const policyReturned: Documented = {
  schema: () =>
    z.object({
      // The policy has been checked when it was set; a removed one is null.
      policy: policyForm().nullable(),
      version: Version.nullable(),
    }),
  example: { policy: policy.example, version: 3 },
}

/** Administration at run time. The identity API and the runtime check who may do what. */
export const administrationRoutes: readonly Route[] = [
  listRoute('tenants', tenant, {
    summary: 'Lists the tenants, for administrators of the home tenant.',
    of: (api) => api.tenants,
  }),
  putRoute('tenants', tenant, {
    summary: 'Creates or changes a tenant.',
    of: (api) => api.tenants,
  }),
  listRoute('principals', principal, {
    summary: 'Lists the principals of the tenant.',
    of: (api) => api.principals,
  }),
  putRoute('principals', principal, {
    summary: 'Creates a principal or changes its roles and capabilities.',
    of: (api) => api.principals,
  }),
  listRoute('tokens', token, {
    summary: 'Lists the tokens, without their secrets.',
    of: (api) => api.tokens,
  }),
  {
    method: 'POST',
    path: '/v1/tokens',
    command: 'tokens.create',
    summary: 'Creates a token. Its secret is shown only in this response.',
    body: token.body,
    returns: {
      schema: () => z.object({ id: z.string(), token: z.string(), lastFour: z.string() }),
      example: {
        id: '01jd3k8m2nq4r5s6t7v8w9x0yz',
        token: 'sh_home_01jd3k8m2nq4r5s6t7v8w9x0yz_…9f3c',
        lastFour: '9f3c',
      },
    },
    handle: async (context, caller, surface) =>
      identityApiOf(surface).tokens.create(caller, await readJson(context, surface)),
  },
  {
    method: 'DELETE',
    path: '/v1/tokens/:id',
    command: 'tokens.revoke',
    summary: 'Revokes a token, on every node within a second.',
    returns: {
      schema: () => z.object({ id: z.string(), revoked: z.literal(true) }),
      example: { id: '01jd3k8m2nq4r5s6t7v8w9x0yz', revoked: true },
    },
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
    body: { schema: () => LinkForm, example: { principal: 'ann', life_seconds: 3_600 } },
    returns: {
      schema: () => z.object({ url: z.string() }),
      example: { url: 'https://tools.example/sign-in/shl_home_01jd3k8m2n_…' },
    },
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
    returns: policyReturned,
    handle: async (_, caller, { runtime }) =>
      policyView(await runtime.administration.get(caller, 'policy', POLICY_ID)),
  },
  {
    method: 'PUT',
    path: '/v1/policy',
    command: 'policy.put',
    summary: "Sets the tenant's policy. A policy can only tighten what tools declare.",
    headers: ['If-Match'],
    body: policy,
    returns: policyReturned,
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

type Described<T> = { readonly summary: string; readonly of: (api: IdentityApi) => T }

function listRoute(kind: Kind, { returned }: Kept, { summary, of }: Described<Lister>): Route {
  const command = `${kind}.list`
  return {
    method: 'GET',
    path: `/v1/${kind}`,
    command,
    summary,
    query: PageQuery,
    returns: pageReturned(returned),
    async handle(context, caller, surface) {
      const { limit, after } = readPage(command, parseQuery(context, PageQuery))
      const found = await of(identityApiOf(surface)).list(caller, { limit: limit + 1, after })
      return pageView(
        command,
        toPage<{ readonly id: string }>(found, limit, ({ id }) => id),
      )
    },
  }
}

function putRoute(kind: Kind, { body, returned }: Kept, { summary, of }: Described<Putter>): Route {
  return {
    headers: ['If-Match'],
    body,
    returns: returned,
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

export function identityApiOf({ identityApi }: Surface): IdentityApi {
  if (identityApi === undefined)
    throw new ToolError(
      'TOOL_TEMPORARILY_DISABLED',
      'This server does not manage people and tokens. Start it with the identity API to use this path.',
    )
  return identityApi
}
