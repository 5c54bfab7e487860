import { defineTool, type ReadContract, sensitive, type Tool } from '@surehand/core'
import { z } from 'zod'
import { type Rules, rules, type Shelf, shelf } from './ports.ts'

const Wanted = z.object({ item: z.string().min(1).max(100).describe('What to look for.') })
const Found = z.object({ item: z.string(), serial: z.number() })

type Wish = z.infer<typeof Wanted>
type Finding = z.input<typeof Found>
type Ports = { readonly shelf: Shelf; readonly rules: Rules }

/** A tool that looks at the shelf, under some contract. */
function reader(id: string, contract: Partial<ReadContract<Wish, Finding, Ports>> = {}): Tool {
  return defineTool({
    id,
    title: `Look (${id})`,
    category: 'custom',
    description: 'Looks at the shelf for an item.',
    input: Wanted,
    output: Found,
    ports: { shelf, rules },
    contract: { effect: 'read', timeout: '1s', retries: 0, ...contract },
    examples: [{ name: 'a lamp', input: { item: 'lamp' } }],
    execute: ({ input, ports, signal }) => ports.shelf.look(input, signal),
  })
}

export const readTools: readonly Tool[] = [
  reader('shelf.look'),
  reader('shelf.retrying', { retries: 2 }),
  reader('shelf.patient', { retries: 1, timeout: '30s' }),
  reader('shelf.cached', { cache: { ttl: '1m' } }),
  reader('shelf.shared', { cache: { ttl: '1m', shared: true } }),
  reader('shelf.cachedLimited', { cache: { ttl: '1m' }, limits: [{ calls: 1, per: '1h' }] }),
  reader('shelf.fallback', {
    cache: { ttl: '1m' },
    fallback: ({ input }) => ({ item: input.item, serial: -1 }),
  }),
  reader('shelf.stuckFallback', {
    fallback: ({ input }) =>
      input.item === 'stuck' ? new Promise(() => undefined) : { item: input.item, serial: -1 },
  }),
  reader('shelf.limited', { limits: [{ calls: 3, per: '10s' }] }),
  reader('shelf.twoLimits', {
    limits: [
      { calls: 2, per: '1m', by: 'tenant' },
      { calls: 10, per: '1h', by: (input) => input.item },
    ],
  }),
  reader('shelf.busy', { limits: [{ calls: 20, per: '10s' }] }),
  reader('shelf.budgeted', { budgets: [{ name: 'looks', max: 2, key: (input) => input.item }] }),
  reader('shelf.gated', {
    gates: [
      {
        name: 'SHELF_OPEN',
        check: async ({ ports }) =>
          (await ports.rules.ask({}, new AbortController().signal)) === 'open'
            ? undefined
            : { message: 'The shelf is closed.' },
      },
    ],
  }),
  reader('shelf.lenient', { outputValidation: 'lenient' }),
  reader('shelf.confidential', { audit: 'before-answer' }),
]

/** Moving about: neither cached nor shared. */
export const goto = defineTool({
  id: 'shelf.goto',
  title: 'Go to the shelf',
  category: 'custom',
  description: 'Moves to where an item is.',
  input: Wanted,
  output: Found,
  ports: { shelf },
  contract: { effect: 'read-only-nav', retries: 0 },
  examples: [{ name: 'a lamp', input: { item: 'lamp' } }],
  execute: ({ input, ports, signal }) => ports.shelf.look(input, signal),
})

/** A read that takes its time and is fetched later. */
export const report = defineTool({
  id: 'jobs.report',
  title: 'Report',
  category: 'custom',
  description: 'Looks at the shelf at length.',
  kind: 'async',
  input: Wanted,
  output: Found,
  ports: { shelf },
  contract: { effect: 'read' },
  examples: [{ name: 'a lamp', input: { item: 'lamp' } }],
  execute: ({ input, ports, signal }) => ports.shelf.look(input, signal),
})

/** Looks with a secret, and has something to say when that fails. */
export const lookSecretly = defineTool({
  id: 'shelf.secret',
  title: 'Look, with a token',
  category: 'custom',
  description: 'Looks at a shelf that wants a token.',
  input: Wanted.extend({ token: sensitive(z.string().min(12).max(40)) }),
  output: Found,
  ports: { shelf },
  contract: {
    effect: 'read',
    retries: 0,
    fallback: ({ input }) =>
      input.item === 'nothing' ? undefined : { item: input.item, serial: -1 },
  },
  examples: [{ name: 'a lamp', input: { item: 'lamp', token: 'tok-0123456789-wxyz' } }],
  execute: ({ input, ports, signal }) => ports.shelf.look(input, signal),
})
