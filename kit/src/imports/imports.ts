import {
  type AdminItem,
  type AdminStore,
  type Brought,
  type BroughtTools,
  type ForeignSource,
  ToolError,
  toToolError,
  type ValueStore,
} from '@surehand/core'
import { createDocuments, type Documents } from './documents.ts'
import { heldBack } from './held.ts'
import { ImportRecord, PinRecord, readItem } from './import-record.ts'
import type { OpenedSource } from './source-kind.ts'
import { createWorkshop, readPortName, type Workshop, type WorkshopOptions } from './workshop.ts'

export type ImportOptions = WorkshopOptions & { readonly admin: AdminStore; readonly values: ValueStore }

/** One source of a tenant, opened; `trouble` where it could not be. */
export type OpenImport = {
  readonly record: ImportRecord
  readonly pin: PinRecord | undefined
  readonly recordItem: AdminItem
  readonly pinItem: AdminItem | undefined
  readonly opened: OpenedSource | undefined
  readonly brought: readonly Brought[]
  readonly trouble: string | undefined
}

/** What tenants have brought, opened when it is first wanted and again when it has changed. */
export type Imports = BroughtTools & {
  readonly workshop: Workshop
  readonly documents: Documents
  readonly list: (tenant: string) => ReadonlyMap<string, OpenImport>
  readonly close: () => Promise<void>
}

const NOTHING: readonly Brought[] = []

export function createImports(options: ImportOptions): Imports {
  const { admin, values } = options
  const workshop = createWorkshop(options)
  const documents = createDocuments(values)
  const tenants = new Map<string, ReadonlyMap<string, OpenImport>>()
  const lists = new Map<string, readonly Brought[]>()

  async function load(tenant: string): Promise<void> {
    const [records, pins] = await Promise.all([admin.list(tenant, 'tool'), admin.list(tenant, 'pin')])
    const before = tenants.get(tenant) ?? new Map<string, OpenImport>()
    const pinOf = new Map(pins.map((item) => [item.id, item]))
    const entries = await Promise.all(
      records.map(async (item) => {
        const known = before.get(item.id)
        const pinItem = pinOf.get(item.id)
        const isSame = known?.recordItem.version === item.version && known.pinItem?.version === pinItem?.version
        return [item.id, isSame && known.trouble === undefined ? known : await openImport(item, pinItem, { workshop, documents })] as const
      }),
    )
    const now = new Map(entries)
    tenants.set(tenant, now)
    if (before.size === now.size && entries.every(([name, one]) => before.get(name) === one)) return
    const brought = [...now.values()].flatMap((one) => one.brought)
    lists.set(tenant, brought)
    await Promise.all([...before].filter(([name, one]) => now.get(name) !== one).map(([, one]) => one.opened?.close?.()))
  }

  return {
    load,
    of: (tenant) => lists.get(tenant) ?? NOTHING,
    provider(portName) {
      const named = readPortName(portName)
      if (named === undefined) return undefined
      const { tenant, name } = named
      return { port: workshop.portOf(tenant, name), provider: delegate(name, () => tenants.get(tenant)?.get(name)?.opened?.source) }
    },
    workshop,
    documents,
    list: (tenant) => tenants.get(tenant) ?? new Map(),
    async close() {
      const all = [...tenants.values()].flatMap((imports) => [...imports.values()])
      await Promise.all(all.map(({ opened }) => opened?.close?.()))
    },
  }
}

type Made = Pick<Imports, 'workshop' | 'documents'>

async function openImport(recordItem: AdminItem, pinItem: AdminItem | undefined, { workshop, documents }: Made): Promise<OpenImport> {
  const record = readItem(recordItem, ImportRecord)
  const items = { record, recordItem, pinItem }
  try {
    const pin = pinItem === undefined ? undefined : readItem(pinItem, PinRecord)
    const { tenant, id: name } = recordItem
    const document = await documents.get(tenant, record.document)
    const opened = workshop.open(document, { tenant, name, kind: record.kind, settings: record.settings, from: record.from })
    const brought = heldBack(opened.tools, record, pin, workshop.kindOf(record.kind).generator)
    return { ...items, pin, opened, brought, trouble: undefined }
  } catch (thrown) {
    // one source that can't be opened must not take the tenant's others with it
    return { ...items, pin: undefined, opened: undefined, brought: NOTHING, trouble: toToolError(thrown).message }
  }
}

// what is called is the source as it is by now, whichever version the port was bound with
function delegate(name: string, now: () => ForeignSource | undefined): ForeignSource {
  const source = (): ForeignSource => {
    const found = now()
    if (found !== undefined) return found
    throw new ToolError('TOOL_TEMPORARILY_DISABLED', `The source "${name}" is not open here.`, { effect: 'none' })
  }
  return {
    read: async (call, signal) => source().read(call, signal),
    write: async (call, signal) => source().write(call, signal),
    writeOnce: async (call, signal) => source().writeOnce(call, signal),
  }
}
