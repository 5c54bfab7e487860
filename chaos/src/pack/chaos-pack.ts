import {
  definePack,
  defineTool,
  type Limit,
  type Pack,
  type Tool,
  transact,
  type WriteContract,
} from '@surehand/core'
import { Item, Made, type Wanted } from './item.ts'
import type { CodeVersion } from './program.ts'
import { MANNERS, type Manner, RECOVERY_KINDS, type RecoveryKind, toolId } from './recovery-kind.ts'
import { askingTool, programTool, ticketTool } from './run-tools.ts'
import { type Entry, writeEntry } from './transactions.ts'
import { VENDOR_PORTS } from './vendor-port.ts'

// No caller reaches these limits; they only have to be counted, in one bucket per tenant and one
// per item.
const LIMITS: readonly Limit<Wanted>[] = [
  { calls: 1_000_000, per: '1h', by: 'tenant' },
  { calls: 1_000, per: '1h', by: ({ item }) => item },
]

/** A tool for every recovery class and every way to its effect, and programs that combine them. */
export function chaosPack(codeVersion: CodeVersion): Pack {
  return definePack({
    name: 'chaos',
    tools: [
      ...RECOVERY_KINDS.flatMap((kind) => MANNERS.map((manner) => chaosTool(kind, manner))),
      ticketTool as Tool,
      programTool(codeVersion),
    ],
    data: {
      // No unique index: a second execution must be able to leave its trace.
      migrations: [
        {
          name: '0001-entries',
          statements: ['create table chaos_entries (number {serial}, item text not null)'],
        },
        {
          name: '0002-entries-by-item',
          statements: ['create index chaos_entries_item on chaos_entries (item)'],
        },
      ],
      transactions: import.meta.resolve('./transactions.ts'),
    },
  })
}

function chaosTool(kind: RecoveryKind, manner: Manner): Tool {
  if (manner === 'run') return askingTool(kind)
  const common = {
    id: toolId(kind, manner),
    title: `Make (${kind}, ${manner})`,
    category: 'custom',
    description: 'Makes an item, once.',
    kind: manner === 'job' || manner === 'patientJob' ? 'async' : 'sync',
    input: Item,
    output: Made,
    examples: [{ name: 'a lamp', input: { item: 'lamp' } }],
  } as const
  if (kind === 'transaction')
    return defineTool({
      ...common,
      contract: contractOf(kind, manner),
      transaction: transact(writeEntry, ({ input }: { readonly input: Entry }) => input),
    })
  return defineTool({
    ...common,
    contract: contractOf(kind, manner),
    ports: { vendor: VENDOR_PORTS[kind] },
    execute: ({ input, ports, idempotencyKey, signal }) =>
      ports.vendor.make({ item: input.item, key: idempotencyKey }, signal),
  })
}

function contractOf<P>(kind: RecoveryKind, manner: Manner): WriteContract<Wanted, P> {
  return {
    effect: 'writes.item',
    reversible: true,
    idempotency: 'caller',
    timeout: manner.startsWith('patient') ? '1m' : '6s',
    retries: kind === 'sameKey' ? 1 : 0,
    ...(manner === 'limited' ? { limits: LIMITS } : {}),
    ...(manner === 'approval' || manner === 'patientApproval'
      ? { approval: ({ item }: Wanted) => `Make ${item}?` }
      : {}),
  }
}
