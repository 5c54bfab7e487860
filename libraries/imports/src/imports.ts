import type { Tool } from '@surehand/core'
import { ToolError } from '@surehand/core'
import type { ForeignSource } from '@surehand/core/host'
import { definitionHash } from '@surehand/core/host'
import { hashJson, toToolError } from '@surehand/core/internal'
import type {
  AdminItem,
  AdminStore,
  Clock,
  TenantTool,
  TenantTools,
  ValueStore,
} from '@surehand/core/ports'
import { createDocumentStore, type DocumentStore } from './document-store.ts'
import { ImportRecord, PinRecord, readItem } from './import-record.ts'
import { coalesceRuns, createKeyedMutex, type KeyedMutex } from './keyed-mutex.ts'
import { createRefusedDocuments, type RefusedDocuments } from './refused-documents.ts'
import { createRefusedRequests, type RefusedRequests } from './refused-requests.ts'
import type { OpenedSource } from './source-kind.ts'
import {
  createSourceLoader,
  type OpenSource,
  type SourceLoader,
  type SourceLoaderOptions,
} from './source-kind.ts'

// Longer than a call of such a tool may take.
const GRACE_MS = 120_000

/** Closes retired sources after a grace period, so that calls in progress can finish. */
function createDelayedClose(): {
  readonly add: (source: OpenedSource) => void
  readonly close: () => Promise<void>
} {
  const sources = new Map<OpenedSource, NodeJS.Timeout>()
  const end = async (source: OpenedSource): Promise<void> => {
    clearTimeout(sources.get(source))
    sources.delete(source)
    await source.close?.()
  }
  return {
    add(source) {
      if (source.close === undefined) return
      sources.set(
        source,
        setTimeout(() => void end(source).catch(() => undefined), GRACE_MS).unref(),
      )
    },
    close: async () => {
      await Promise.all([...sources.keys()].map(end))
    },
  }
}

export type ImportOptions = SourceLoaderOptions & {
  readonly admin: AdminStore
  readonly values: ValueStore
  readonly clock: Clock
}

/** One source of a tenant, opened; `problem` says why it could not be opened. */
export type OpenImport = {
  readonly recordItem: AdminItem
  readonly pinItem: AdminItem | undefined
  /** Undefined if it cannot be read: a newer release may have written it. */
  readonly record: ImportRecord | undefined
  readonly pin: PinRecord | undefined
  readonly opened: OpenSource | undefined
  readonly tools: readonly TenantTool[]
  readonly problem: string | undefined
  /** When a temporary problem is worth another try. */
  readonly retryAtTicks: number | undefined
}

/** The sources of all tenants. Each is opened on first use and again when it has changed. */
export type Imports = TenantTools & {
  readonly loader: SourceLoader
  readonly documents: DocumentStore
  readonly refused: RefusedDocuments
  readonly refusedRequests: RefusedRequests
  readonly list: (tenant: string) => ReadonlyMap<string, OpenImport>
  /**
   * Serializes changes to a tenant's imports: a document must not be deleted while another source
   * is about to refer to it.
   */
  readonly withTenantLock: KeyedMutex
  readonly close: () => Promise<void>
}

const NOTHING: readonly TenantTool[] = []

export function createImports(options: ImportOptions): Imports {
  const { admin, values, clock } = options
  const loader = createSourceLoader(options)
  const documents = createDocumentStore(values)
  const tenants = new Map<string, ReadonlyMap<string, OpenImport>>()
  const lists = new Map<string, readonly TenantTool[]>()
  // By port name. A call is executed by the version of the source that its tool was made from, and
  // by no other.
  const live = new Map<string, OpenSource>()
  const old = createDelayedClose()

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
          [
            item.id,
            await reuseOrOpen(
              before.get(item.id),
              { recordItem: item, pinItem: pinOf.get(item.id) },
              { loader, documents, clock },
            ),
          ] as const,
      ),
    )
    const now = new Map(entries)
    tenants.set(tenant, now)
    if (before.size === now.size && entries.every(([name, one]) => before.get(name) === one)) return
    lists.set(
      tenant,
      [...now.values()].flatMap((one) => one.tools),
    )
    const kept = new Set([...now.values()].map(({ opened }) => opened))
    for (const { opened } of now.values())
      if (opened !== undefined) live.set(opened.portName, opened)
    for (const { opened } of before.values())
      if (opened !== undefined && !kept.has(opened)) retireSource(opened)
  }

  function retireSource(opened: OpenSource): void {
    // New calls no longer reach it; calls in progress may finish.
    if (live.get(opened.portName) === opened) live.delete(opened.portName)
    old.add(opened)
  }

  // Serialized: an older load that ends last would bring back tools that a newer one has
  // quarantined.
  const load = coalesceRuns(loadNow)
  return {
    load,
    of: (tenant) => lists.get(tenant) ?? NOTHING,
    provider(portName) {
      const port = live.get(portName)?.port
      if (port === undefined) return undefined
      return { port, provider: delegateToCurrent(portName, () => live.get(portName)?.source) }
    },
    loader,
    documents,
    refused: createRefusedDocuments(values),
    refusedRequests: createRefusedRequests(values, clock),
    list: (tenant) => tenants.get(tenant) ?? new Map(),
    withTenantLock: createKeyedMutex(),
    async close() {
      const all = [...tenants.values()].flatMap((imports) => [...imports.values()])
      await Promise.all(all.map(({ opened }) => opened?.close?.()))
      await old.close()
    },
  }
}

type Items = Pick<OpenImport, 'recordItem' | 'pinItem'>
type OpeningContext = Pick<Imports, 'loader' | 'documents'> & { readonly clock: Clock }

async function reuseOrOpen(
  known: OpenImport | undefined,
  items: Items,
  context: OpeningContext,
): Promise<OpenImport> {
  const isSameRecord = known?.recordItem.version === items.recordItem.version
  const isSamePin = known?.pinItem?.version === items.pinItem?.version
  const isDueForRetry =
    known?.retryAtTicks !== undefined && context.clock.ticks() >= known.retryAtTicks
  if (isSameRecord && isSamePin && !isDueForRetry) return known
  return openImport(items, context, isSameRecord ? known.opened : undefined)
}

async function openImport(
  { recordItem, pinItem }: Items,
  { loader, documents, clock }: OpeningContext,
  opened: OpenSource | undefined,
): Promise<OpenImport> {
  let record: ImportRecord | undefined
  try {
    record = readItem(recordItem, ImportRecord)
    const pin = pinItem === undefined ? undefined : readItem(pinItem, PinRecord)
    const { tenant, id: name } = recordItem
    const made =
      opened ??
      (await loader.open(await documents.get(tenant, record.document), {
        tenant,
        name,
        ...record,
      }))
    const tools = quarantineChanged(made.tools, record, pin, loader.kindOf(record.kind).generator)
    return {
      record,
      recordItem,
      pinItem,
      pin,
      opened: made,
      tools: tools,
      problem: undefined,
      retryAtTicks: undefined,
    }
  } catch (thrown) {
    // A store that does not answer says nothing about the source: the load is repeated.
    const { code, message: problem, details } = toToolError(thrown)
    if (code === 'TOOL_STORAGE_ERROR') throw thrown
    const againTicks =
      typeof details?.again_after_ms === 'number'
        ? clock.ticks() + details.again_after_ms
        : undefined
    // One source that cannot be opened must not disable the tenant's others.
    return {
      record,
      recordItem,
      pinItem,
      pin: undefined,
      opened,
      tools: NOTHING,
      problem,
      retryAtTicks: againTicks,
    }
  }
}

function delegateToCurrent(portName: string, now: () => ForeignSource | undefined): ForeignSource {
  const source = (): ForeignSource => {
    const found = now()
    if (found !== undefined) return found
    const { name } = JSON.parse(portName) as { readonly name: string }
    throw new ToolError(
      'TOOL_TEMPORARILY_DISABLED',
      `The source "${name}" has changed since this call was authorized. Nothing was sent; call the tool again.`,
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

/** Quarantines every tool that is new or has changed since an administrator accepted its source. */
function quarantineChanged(
  tools: readonly Tool[],
  record: ImportRecord,
  pin: PinRecord | undefined,
  generator: string,
): readonly TenantTool[] {
  if (pin !== undefined && isAsAccepted(record, pin, generator))
    return tools.map((tool) => ({ tool, quarantineReason: undefined }))
  return tools.map((tool) => ({ tool, quarantineReason: findReason(tool, pin) }))
}

// Hashing a thousand definitions takes a second. If document, settings and generator are the same,
// so are all the tools.
function isAsAccepted(record: ImportRecord, pin: PinRecord, generator: string): boolean {
  const isSame =
    pin.kind === record.kind && pin.document === record.document && pin.generator === generator
  return isSame && pin.isWhole && hashJson(pin.settings) === hashJson(record.settings)
}

function findReason(tool: Tool, pin: PinRecord | undefined): string | undefined {
  const accepted =
    pin !== undefined && Object.hasOwn(pin.tools, tool.id) ? pin.tools[tool.id] : undefined
  if (accepted === undefined) return 'it is new since its source was accepted.'
  return accepted === definitionHash(tool)
    ? undefined
    : `it has changed since ${pin?.acceptedBy} accepted it.`
}
