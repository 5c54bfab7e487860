import { ToolError } from '@surehand/core'
import type { ForeignSource } from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import type {
  AdminItem,
  AdminStore,
  Brought,
  TenantTools,
  Clock,
  ValueStore,
} from '@surehand/core/ports'
import { createDocuments, type Documents } from './documents.ts'
import { heldBack } from './held.ts'
import { ImportRecord, PinRecord, readItem } from './import-record.ts'
import { inTurn } from './in-turn.ts'
import { type OneAtATime, oneAtATime } from './one-at-a-time.ts'
import { createRefusedDocuments, type RefusedDocuments } from './refused-documents.ts'
import { retiring } from './retiring.ts'
import { createWorkshop, type OpenSource, type Workshop, type WorkshopOptions } from './workshop.ts'

export type ImportOptions = WorkshopOptions & {
  readonly admin: AdminStore
  readonly values: ValueStore
  readonly clock: Clock
}

/** One source of a tenant, opened; `trouble` where it could not be. */
export type OpenImport = {
  readonly recordItem: AdminItem
  readonly pinItem: AdminItem | undefined
  /** Undefined where it can't be read: a newer release may have written it. */
  readonly record: ImportRecord | undefined
  readonly pin: PinRecord | undefined
  readonly opened: OpenSource | undefined
  readonly brought: readonly Brought[]
  readonly trouble: string | undefined
  /** When trouble that may pass is worth another try. */
  readonly againTicks: number | undefined
}

/** What tenants have brought, opened when it is first wanted and again when it has changed. */
export type Imports = TenantTools & {
  readonly workshop: Workshop
  readonly documents: Documents
  readonly refused: RefusedDocuments
  readonly list: (tenant: string) => ReadonlyMap<string, OpenImport>
  /** For whoever changes what a tenant has brought: a document must not be forgotten while another source is about to name it. */
  readonly oneAtATime: OneAtATime
  readonly close: () => Promise<void>
}

const NOTHING: readonly Brought[] = []

export function createImports(options: ImportOptions): Imports {
  const { admin, values, clock } = options
  const workshop = createWorkshop(options)
  const documents = createDocuments(values)
  const tenants = new Map<string, ReadonlyMap<string, OpenImport>>()
  const lists = new Map<string, readonly Brought[]>()
  // a call is carried by the source that its tool was made of, and by no other
  const live = new Map<string, OpenSource>()
  const old = retiring()

  async function loadNow(tenant: string): Promise<void> {
    const [records, pins] = await Promise.all([
      admin.list(tenant, 'tool'),
      admin.list(tenant, 'pin'),
    ])
    const before = tenants.get(tenant) ?? new Map<string, OpenImport>()
    const pinOf = new Map(pins.map((item) => [item.id, item]))
    const entries = await Promise.all(
      records.map(
        async (item) =>
          [item.id, await renewed(before.get(item.id), item, pinOf.get(item.id))] as const,
      ),
    )
    const now = new Map(entries)
    tenants.set(tenant, now)
    if (before.size === now.size && entries.every(([name, one]) => before.get(name) === one)) return
    lists.set(
      tenant,
      [...now.values()].flatMap((one) => one.brought),
    )
    const kept = new Set([...now.values()].map(({ opened }) => opened))
    for (const { opened } of now.values())
      if (opened !== undefined) live.set(opened.portName, opened)
    for (const { opened } of before.values())
      if (opened !== undefined && !kept.has(opened)) retire(opened)
  }

  function retire(opened: OpenSource): void {
    // whatever is judged from now on does not reach it; what is under way may end
    if (live.get(opened.portName) === opened) live.delete(opened.portName)
    old.add(opened)
  }

  async function renewed(
    known: OpenImport | undefined,
    recordItem: AdminItem,
    pinItem: AdminItem | undefined,
  ): Promise<OpenImport> {
    const isSameRecord = known?.recordItem.version === recordItem.version
    const isWorthATry = known?.againTicks !== undefined && clock.ticks() >= known.againTicks
    if (isSameRecord && known.pinItem?.version === pinItem?.version && !isWorthATry) return known
    const opened = isSameRecord ? known.opened : undefined
    return openImport({ recordItem, pinItem }, { workshop, documents, opened, clock })
  }

  // one after the other: an older look that ends last would bring back what a newer one has held
  const load = inTurn(loadNow)
  return {
    load,
    of: (tenant) => lists.get(tenant) ?? NOTHING,
    provider(portName) {
      const found = live.get(portName)
      return found === undefined
        ? undefined
        : { port: found.port, provider: delegate(portName, () => live.get(portName)?.source) }
    },
    workshop,
    documents,
    refused: createRefusedDocuments(values),
    list: (tenant) => tenants.get(tenant) ?? new Map(),
    oneAtATime: oneAtATime(),
    async close() {
      const all = [...tenants.values()].flatMap((imports) => [...imports.values()])
      await Promise.all(all.map(({ opened }) => opened?.close?.()))
      await old.close()
    },
  }
}

type Items = Pick<OpenImport, 'recordItem' | 'pinItem'>
type Made = Pick<Imports, 'workshop' | 'documents'> & {
  readonly opened: OpenSource | undefined
  readonly clock: Clock
}

async function openImport(
  { recordItem, pinItem }: Items,
  { workshop, documents, opened, clock }: Made,
): Promise<OpenImport> {
  let record: ImportRecord | undefined
  try {
    record = readItem(recordItem, ImportRecord)
    const pin = pinItem === undefined ? undefined : readItem(pinItem, PinRecord)
    const { tenant, id: name } = recordItem
    const made =
      opened ??
      (await workshop.open(await documents.get(tenant, record.document), {
        tenant,
        name,
        ...record,
      }))
    const brought = heldBack(made.tools, record, pin, workshop.kindOf(record.kind).generator)
    return {
      record,
      recordItem,
      pinItem,
      pin,
      opened: made,
      brought,
      trouble: undefined,
      againTicks: undefined,
    }
  } catch (thrown) {
    // a store that does not answer is no fault of the source, and is asked again
    const { code, message: trouble, details } = toToolError(thrown)
    if (code === 'TOOL_STORAGE_ERROR') throw thrown
    const againTicks =
      typeof details?.again_after_ms === 'number'
        ? clock.ticks() + details.again_after_ms
        : undefined
    // one source that can't be opened must not take the tenant's others with it
    return {
      record,
      recordItem,
      pinItem,
      pin: undefined,
      opened,
      brought: NOTHING,
      trouble,
      againTicks,
    }
  }
}

function delegate(portName: string, now: () => ForeignSource | undefined): ForeignSource {
  const source = (): ForeignSource => {
    const found = now()
    if (found !== undefined) return found
    const { name } = JSON.parse(portName) as { readonly name: string }
    throw new ToolError(
      'TOOL_TEMPORARILY_DISABLED',
      `The source "${name}" is not what it was when this call was judged: nothing was sent.`,
      {
        effect: 'none',
      },
    )
  }
  return {
    read: async (call, signal) => source().read(call, signal),
    write: async (call, signal) => source().write(call, signal),
    writeOnce: async (call, signal) => source().writeOnce(call, signal),
  }
}
