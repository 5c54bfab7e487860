import { ToolError } from '@surehand/core'
import type { AdminItem } from '@surehand/core/ports'
import type { IdentityDesk } from '@surehand/identity'
import { z } from 'zod'
import type { Surface } from '../options.ts'
import { bodyOf, expectedVersion, jsonOf } from '../query.ts'
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

/** What administrators change while the house is open. Who may is the desk's business. */
export const administrationRoutes: readonly Route[] = [
  listing('tenants', 'Houses, for the administrators of the first one.', (desk) => desk.tenants),
  putting('tenants', 'Makes or changes a house.', (desk) => desk.tenants),
  listing('principals', 'Who is known in this house.', (desk) => desk.principals),
  putting(
    'principals',
    'Writes somebody down, or changes what they may.',
    (desk) => desk.principals,
  ),
  listing('tokens', 'Tokens, without their secrets.', (desk) => desk.tokens),
  {
    method: 'POST',
    path: '/v1/tokens',
    command: 'tokens.create',
    summary: 'Makes a token; it is shown once.',
    answer: async (context, caller, surface) =>
      deskOf(surface).tokens.create(caller, await jsonOf(context, surface)),
  },
  {
    method: 'DELETE',
    path: '/v1/tokens/:id',
    command: 'tokens.revoke',
    summary: 'Takes a token back, on every node within a second.',
    async answer(context, caller, surface) {
      const id = context.req.param('id') ?? ''
      await deskOf(surface).tokens.revoke(caller, id)
      return { id, revoked: true }
    },
  },
  {
    method: 'POST',
    path: '/v1/links',
    command: 'links.create',
    summary: 'Makes a link that signs somebody in once.',
    async answer(context, caller, surface) {
      const { life_seconds, ...link } = await bodyOf(context, surface, LinkForm)
      const text = await deskOf(surface).links.create(caller, {
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
    summary: "The house's policy.",
    answer: async (_, caller, { runtime }) =>
      policyView(await runtime.administration.get(caller, 'policy', POLICY_ID)),
  },
  {
    method: 'PUT',
    path: '/v1/policy',
    command: 'policy.put',
    summary: "Sets the house's policy; it can only tighten what tools declare.",
    async answer(context, caller, surface) {
      const expected = expectedVersion(context)
      const change = {
        kind: 'policy',
        id: POLICY_ID,
        value: await jsonOf(context, surface),
        ...(expected === undefined ? {} : { expected }),
      } as const
      return policyView(await surface.runtime.administration.change(caller, change))
    },
  },
]

type Kind = 'tenants' | 'principals' | 'tokens'
type Lister = { readonly list: IdentityDesk[Kind]['list'] }
type Putter = { readonly put: IdentityDesk['tenants']['put'] | IdentityDesk['principals']['put'] }

function listing(kind: Kind, summary: string, of: (desk: IdentityDesk) => Lister): Route {
  return {
    method: 'GET',
    path: `/v1/${kind}`,
    command: `${kind}.list`,
    summary,
    answer: async (_, caller, surface) => ({ [kind]: await of(deskOf(surface)).list(caller) }),
  }
}

function putting(kind: Kind, summary: string, of: (desk: IdentityDesk) => Putter): Route {
  return {
    method: 'PUT',
    path: `/v1/${kind}/:id`,
    command: `${kind}.put`,
    summary: `${summary} If-Match names the version that was looked at.`,
    answer: async (context, caller, surface) =>
      of(deskOf(surface)).put(
        caller,
        context.req.param('id') ?? '',
        await jsonOf(context, surface),
        expectedVersion(context),
      ),
  }
}

function policyView(item: AdminItem | undefined): object {
  return item === undefined
    ? { policy: null, version: null }
    : { policy: JSON.parse(item.value), version: item.version }
}

function deskOf({ desk }: Surface): IdentityDesk {
  if (desk === undefined)
    throw new ToolError(
      'TOOL_TEMPORARILY_DISABLED',
      'People and tokens are not kept here: this server was started without that.',
    )
  return desk
}
