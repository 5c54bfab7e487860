import {
  type ApprovalRule,
  definePack,
  defineTool,
  type Limit,
  type Pack,
  type Tool,
  ToolError,
  transact,
  type WriteContract,
} from '@surehand/core'
import { z } from 'zod'
import { Item, Made, type Wanted } from './item.ts'
import type { CodeVersion } from './program.ts'
import {
  MANNERS,
  type Manner,
  RECOVERY_KINDS,
  type RecoveryKind,
  toolId,
  toPatient,
} from './recovery-kind.ts'
import { askingTool, programTool, ticketTool } from './run-tools.ts'
import { type Entry, writeEntry } from './transactions.ts'
import { FIRST_PRICE, type Price, VENDOR_PORTS, type Vendor } from './vendor-port.ts'

// No caller reaches these limits; they only have to be counted, in one bucket per tenant and one
// per item.
const LIMITS: readonly Limit<Wanted>[] = [
  { calls: 1_000_000, per: '1h', by: 'tenant' },
  { calls: 1_000, per: '1h', by: ({ item }) => item },
]

const AT_A_PRICE: ApprovalRule<Wanted, Ports> = {
  facts: ({ input, ports, signal }) => ports.vendor.price({ item: input.item }, signal),
  asks: ({ item }, { euros }: Price) => `Make ${item} for ${euros} EUR?`,
}

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
      ports: { vendor: VENDOR_PORTS.sameKey },
      transaction: transact(writeEntry, ({ input, facts }: Given) => {
        refuseFirstPrice(facts)
        return input
      }),
    })
  return defineTool({
    ...common,
    contract: contractOf(kind, manner),
    ports: { vendor: VENDOR_PORTS[kind] },
    execute: ({ input, ports, facts, idempotencyKey, signal }) => {
      refuseFirstPrice(facts)
      return ports.vendor.make({ item: input.item, key: idempotencyKey }, signal)
    },
  })
}

type Given = { readonly input: Entry; readonly facts: unknown }

// The price has risen by the time of the effect, so that an approval of the first one must have been
// asked for again.
function refuseFirstPrice(facts: unknown): void {
  const approved = PriceFacts.safeParse(facts)
  if (approved.success && approved.data.euros === FIRST_PRICE)
    throw new ToolError('TOOL_INVALID_FIELD_VALUE', 'It was approved at another price.')
}
const PriceFacts = z.object({ euros: z.number() })

type Ports = { readonly vendor: Vendor }

function contractOf(kind: RecoveryKind, manner: Manner): WriteContract<Wanted, Ports> {
  return {
    effect: 'writes.item',
    reversible: true,
    idempotency: 'caller',
    timeout: toPatient(manner) === manner ? '1m' : '6s',
    retries: kind === 'sameKey' ? 1 : 0,
    ...(manner === 'limited' || manner === 'patientLimited' ? { limits: LIMITS } : {}),
    ...(manner === 'approval' || manner === 'patientApproval'
      ? { approval: ({ item }: Wanted) => `Make ${item}?` }
      : {}),
    ...(manner === 'facts' ? { approval: AT_A_PRICE } : {}),
  }
}
