import { type Caller, type Runtime, ToolError } from '@surehand/core'
import type { Deprecation } from '@surehand/core/host'
import { auditEntryBy, hashJson } from '@surehand/core/internal'
import type { AdminStore, Clock } from '@surehand/core/ports'
import {
  type DefinitionParts,
  discoverTools,
  type Implementations,
  manageTools,
  type RegistryChange,
  registryDocument,
  restoreTool,
  type ToolManagement,
} from '@surehand/documents'
import { foreignSchemas } from '@surehand/json-schema'
import { z } from 'zod'
import type { RegistryPort } from './registry-port.ts'

export type ToolRegistryParts = {
  readonly runtime: () => Pick<Runtime, 'registry' | 'searchTools' | 'ready'>
  readonly store: AdminStore
  /** The tenant whose administrators manage the tools that all tenants share. */
  readonly home: string
  /** The code behind definitions, from the configuration. */
  readonly implementations: Implementations | undefined
  readonly onTrouble: (thrown: unknown) => void
}

export type ToolRegistry = {
  readonly port: RegistryPort
  /** Applies the stored changes that this process does not have yet. */
  readonly load: () => Promise<void>
  /** Applies what is changed on other nodes, until it is stopped. */
  readonly watch: (clock: Clock) => () => Promise<void>
}

const KIND = 'definition'
const LOOK_EVERY_MS = 5_000

/**
 * The registry of the app with the changes that administrators made while it ran. They are stored
 * with the other settings of the home tenant, so that a restart and other nodes have them too.
 */
export function createToolRegistry(given: ToolRegistryParts): ToolRegistry {
  const { runtime, store, home, implementations, onTrouble } = given
  const applied = new Set<string>()
  let parts: DefinitionParts | undefined
  const definitions = (): DefinitionParts | undefined => {
    if (implementations === undefined) return undefined
    parts ??= { schemas: foreignSchemas(), implementations }
    return parts
  }
  const persist = async (by: Caller, change: RegistryChange): Promise<void> =>
    void applied.add(await storeChange(by, change, given))

  async function load(): Promise<void> {
    const items = await store.list(home, KIND)
    // In the order of their making: a change of words refers to the version before it.
    for (const { id, value, version } of items.toSorted(
      (one, other) => one.updatedAt - other.updatedAt,
    )) {
      if (applied.has(markOf(id, version))) continue
      applied.add(markOf(id, version))
      try {
        restoreTool(runtime(), Change.parse(JSON.parse(value)) as RegistryChange, definitions())
      } catch (thrown) {
        // A tool whose implementation is gone must not keep the others from being served.
        onTrouble(thrown)
      }
    }
  }

  return {
    port: createPort(given, () => manageTools(runtime(), definitions(), persist)),
    load,
    watch(clock) {
      let loading: Promise<void> = Promise.resolve()
      let cancel = clock.after(LOOK_EVERY_MS, look)
      function look(): void {
        loading = load().catch(onTrouble)
        cancel = clock.after(LOOK_EVERY_MS, look)
      }
      return () => {
        cancel()
        return loading
      }
    },
  }
}

function createPort(
  { runtime, home }: ToolRegistryParts,
  management: () => ToolManagement,
): RegistryPort {
  return {
    async check({ by, toolId, context }) {
      await runtime().ready(by.tenant)
      const { checkPermissions } = discoverTools(runtime(), by)
      return checkPermissions(toolId, context ?? contextOf(by))
    },
    async document({ by }) {
      requireHome(by, home)
      return registryDocument(runtime())
    },
    async register({ by, definition }) {
      requireHome(by, home)
      return requireAccepted(await management().registerTool(by, definition))
    },
    async update({ by, toolId, updates }) {
      requireHome(by, home)
      return requireAccepted(await management().updateTool(by, toolId, updates))
    },
    async deprecate({ by, toolId, replacement, redirectFrom, disableFrom }) {
      requireHome(by, home)
      const schedule = {
        ...(redirectFrom === undefined ? {} : { redirectFrom }),
        ...(disableFrom === undefined ? {} : { disableFrom }),
      }
      return requireAccepted(await management().deprecateTool(by, toolId, replacement, schedule))
    },
  }
}

/** Stores a change, with its audit record; returns its mark. */
async function storeChange(
  by: Caller,
  change: RegistryChange,
  { runtime, store, home }: ToolRegistryParts,
): Promise<string> {
  const id = idOf(change)
  const { clock, newId } = runtime().registry
  const before = await store.get(home, KIND, id)
  const audit = auditEntryBy(
    by,
    { id: newId('aud'), now: clock.now() },
    {
      phase: 'change',
      call_id: newId('chg'),
      surface: 'registry',
      tool_name: `${KIND}:${id}`,
      input: { hash: hashJson(change), bytes: 0 },
      success: true,
      outcome: 'set',
    },
  )
  const value = JSON.stringify(change)
  const item = { tenant: home, kind: KIND, id, value, expected: before?.version } as const
  const { kind } = await store.change(item, audit)
  if (kind === 'stale') throw new TypeError(`${id} was changed by another request. Try again.`)
  return markOf(id, (before?.version ?? 0) + 1)
}

const Change = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('definition'), definition: z.record(z.string(), z.unknown()) }),
  z.object({
    kind: z.literal('words'),
    toolId: z.string(),
    from: z.string(),
    updates: z.record(z.string(), z.unknown()),
  }),
  z.object({ kind: z.literal('deprecation'), deprecation: z.custom<Deprecation>() }),
])

function idOf(change: RegistryChange): string {
  switch (change.kind) {
    case 'definition':
      return `${change.definition.id}@${change.definition.version}`
    case 'words':
      return `${change.toolId}@${change.updates.version}`
    case 'deprecation':
      return `${change.deprecation.toolId} deprecated`
  }
}

function markOf(id: string, version: number): string {
  return `${version} ${id}`
}

// The tools are shared by all tenants: the administrators of another tenant may not change them.
function requireHome({ tenant }: Caller, home: string): void {
  if (tenant === home) return
  throw new ToolError(
    'TOOL_RESOURCE_ACCESS_DENIED',
    `The registry is administered in the tenant "${home}", because its tools belong to all tenants.`,
    { effect: 'none' },
  )
}

function contextOf({ roles, capabilities, session, principal, actor, timeZone }: Caller) {
  return {
    roles: roles as ['user'],
    capabilities: capabilities.map((held) => (typeof held === 'string' ? held : held.name)),
    session_info: {
      principal,
      actor,
      ...(session === undefined ? {} : { session_id: session }),
      ...(timeZone === undefined ? {} : { time_zone: timeZone }),
    },
  }
}

// What was refused is an error, with the result that the document defines for it as its data.
function requireAccepted<
  R extends { readonly success: boolean; readonly errors: readonly string[] },
>(result: R): R {
  if (result.success) return result
  throw new ToolError('TOOL_INVALID_INPUT', result.errors.join(' '), {
    data: result,
    effect: 'refused',
  })
}
