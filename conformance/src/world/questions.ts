import { defineTool, sensitive, type Tool } from '@surehand/core'
import type { ApprovalKind } from '@surehand/core/internal'
import { z } from 'zod'
import { orders } from './ports.ts'
import { Made, maker, type Writing } from './writes.ts'

/** A tool that requires approval. */
function asking(id: string, kind: ApprovalKind, more: Writing = {}): Tool {
  return maker(id, orders, {
    approval: { kind, asks: ({ item, quantity }) => `Make ${quantity} × ${item}?`, expires: '15m' },
    ...more,
  })
}

/** Tools that require approval, one of each kind and one trap. */
export const questions: readonly Tool[] = [
  asking('approve.confirm', 'confirm'),
  asking('approve.consent', 'consent'),
  asking('approve.admin', 'admin'),
  asking('approve.final', 'confirm', { reversible: false }),
  asking('approve.limited', 'confirm', { limits: [{ calls: 1, per: '1h' }] }),
  asking('approve.facts', 'confirm', {
    approval: {
      facts: async ({ ports, signal }) => ({ shop: await ports.rules.ask({}, signal) }),
      asks: ({ item, quantity }, { shop }: { readonly shop: string }) =>
        `Make ${quantity} × ${item} while the shop is ${shop}?`,
    },
  }),
]

/** Takes a secret, which must never be revealed. */
export const pay = defineTool({
  id: 'approve.secret',
  title: 'Make with a secret',
  category: 'custom',
  description: 'Makes an item and pays with a token.',
  input: z.object({ item: z.string().max(100), token: sensitive(z.string().min(12).max(40)) }),
  output: Made,
  ports: { out: orders },
  contract: {
    effect: 'writes.order',
    reversible: true,
    idempotency: 'caller',
    approval: { asks: ({ item }) => `Pay for ${item}?`, when: ({ item }) => item !== 'trifle' },
  },
  examples: [{ name: 'a lamp', input: { item: 'lamp', token: 'tok-0123456789-wxyz' } }],
  execute: ({ input, ports, idempotencyKey, signal }) =>
    ports.out.make({ ...input, key: idempotencyKey }, signal),
})
