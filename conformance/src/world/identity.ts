import { type Caller, defineTool, type Permissions, type Tool } from '@surehand/core'
import { z } from 'zod'
import { orders } from './ports.ts'
import { Made } from './writes.ts'

const Item = z.object({ item: z.string().max(100) })

type Gatekeeping = {
  readonly permissions?: Permissions
  readonly auth?: 'none' | 'session' | 'service'
}

/** A tool that returns its caller to callers with the right. */
function defineGuardedTool(id: string, contract: Gatekeeping): Tool {
  return defineTool({
    id,
    title: `Who (${id})`,
    category: 'custom',
    description: 'Says who is calling.',
    input: z.object({}),
    output: z.object({ principal: z.string(), tenant: z.string() }),
    contract: { effect: 'none', ...contract },
    examples: [{ name: 'me', input: {} }],
    execute: async ({ caller }: { readonly caller: Caller }) => ({
      principal: caller.principal,
      tenant: caller.tenant,
    }),
  })
}

export const guardedTools: readonly Tool[] = [
  defineGuardedTool('rights.role', { permissions: { roles: ['power_user'] } }),
  defineGuardedTool('rights.capability', { permissions: { capabilities: ['lamps.read'] } }),
  defineGuardedTool('rights.scoped', {
    permissions: { capabilities: [{ name: 'lamps.read', scope: 'all' }] },
  }),
  defineGuardedTool('rights.habitDelete', { permissions: { capabilities: ['habit.delete'] } }),
  defineGuardedTool('rights.projectWrite', { permissions: { capabilities: ['project.write'] } }),
  defineGuardedTool('rights.session', { auth: 'session' }),
  defineGuardedTool('rights.service', { auth: 'service' }),
]

/** A write that needs a right, so that the right can be taken away between two calls. */
export const entitled = defineTool({
  id: 'rights.make',
  title: 'Make, if you may',
  category: 'custom',
  description: 'Makes an item, for those who may.',
  input: Item,
  output: Made,
  ports: { out: orders },
  contract: {
    effect: 'writes.order',
    reversible: true,
    idempotency: 'caller',
    permissions: { capabilities: ['lamps.make'] },
  },
  examples: [{ name: 'a lamp', input: { item: 'lamp' } }],
  execute: ({ input, ports, idempotencyKey, signal }) =>
    ports.out.make({ ...input, key: idempotencyKey }, signal),
})

/** Its owner and session fields are the caller's, whatever a model writes there. */
export const mine = defineTool({
  id: 'me.make',
  title: 'Make for me',
  category: 'custom',
  description: 'Makes an item for the caller.',
  input: Item.extend({
    owner: z.string(),
    sessionId: z.string(),
    company: z.string(),
    idempotencyKey: z.string(),
  }),
  output: Made,
  ports: { out: orders },
  contract: { effect: 'writes.order', reversible: true, idempotency: 'caller' },
  examples: [
    {
      name: 'a lamp',
      input: { item: 'lamp', owner: '', sessionId: '', company: '', idempotencyKey: 'k' },
    },
  ],
  fromCaller: { owner: 'principal', sessionId: 'session', company: 'tenant' },
  execute: ({ input, ports, idempotencyKey, signal }) =>
    ports.out.make({ ...input, key: idempotencyKey }, signal),
})
