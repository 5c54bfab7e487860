import type { Tool } from '@surehand/core'
import { type AdminApi, definitionHash } from '@surehand/core/host'
import type {
  AdminStore,
  Clock,
  ForeignSchemas,
  TenantTool,
  TenantTools,
} from '@surehand/core/ports'
import { z } from 'zod'
import { callsOf, compositeFromData } from './composite-from-data.ts'
import type { dryRun } from './dry-run.ts'
import type { Program } from './program-form.ts'

export const Examples = z
  .array(
    z.strictObject({ name: z.string().min(1).max(100), input: z.record(z.string(), z.unknown()) }),
  )
  .max(10)

type Hashes = Readonly<Record<string, string>>

const Proposed = z.object({
  program: z.record(z.string(), z.unknown()),
  examples: Examples,
  by: z.string(),
  actor: z.string(),
  at: z.number(),
})
const Accepted = Proposed.extend({
  /** The definition hash of each tool that it calls, as it was when a person looked at it. */
  parts: z.record(z.string(), z.string()),
  acceptedBy: z.string(),
  acceptedAt: z.number(),
})
const Stored = z.object({
  proposed: Proposed.optional(),
  accepted: Accepted.optional(),
  former: z.array(Accepted),
})
export type Proposed = z.output<typeof Proposed>
export type Accepted = z.output<typeof Accepted>
export type Stored = z.output<typeof Stored>

export type ProgramsParts = {
  readonly admin: AdminStore
  readonly administration: () => AdminApi
  /** Tools of the installation; the same list until one is added. */
  readonly shared: () => readonly Tool[]
  /** Tools that tenants import. */
  readonly imported: Pick<TenantTools, 'of'>
  readonly schemas: ForeignSchemas
  readonly clock: Clock
  /** Calls a read for a dry run, through the whole pipeline. */
  readonly call: Parameters<typeof dryRun>[0]['call']
}

export type ToolOf = (name: string) => Tool | undefined

export type Examined = ReturnType<typeof tryCompose> & {
  /** The definition hash of each tool that it calls, as far as it exists. */
  readonly hashes: Hashes
}

type Built = {
  readonly stored: ReadonlyMap<string, Stored>
  readonly shared: readonly Tool[]
  readonly imported: readonly TenantTool[]
  readonly tools: readonly TenantTool[]
}

const NONE: ReadonlyMap<string, Stored> = new Map()

/** The programs of tenants, as tools: one that no administrator has accepted cannot be called. */
export type TenantPrograms = {
  readonly load: (tenant: string) => Promise<void>
  readonly of: (tenant: string) => readonly TenantTool[]
  /** The tools of a tenant that a program may call. */
  readonly toolOf: (tenant: string) => ToolOf
  /** What becomes of a program with the tools of today. */
  readonly examine: (tenant: string, program: Program) => Examined
  readonly list: (tenant: string) => Promise<readonly (readonly [string, Stored])[]>
  readonly get: (
    tenant: string,
    id: string,
  ) => Promise<{ readonly version: number; readonly stored: Stored } | undefined>
}

export function createTenantPrograms(parts: ProgramsParts): TenantPrograms {
  const loaded = new Map<string, ReadonlyMap<string, Stored>>()
  const built = new Map<string, Built>()
  const texts = new Map<string, { readonly text: string; readonly stored: Stored }>()
  const examined = new WeakMap<Program, Pick<Built, 'shared' | 'imported'> & { is: Examined }>()

  // The same object for the same text, so that what was found out about a program is found again.
  function readOnce(place: string, text: string): Stored {
    const known = texts.get(place)
    if (known?.text === text) return known.stored
    const stored = Stored.parse(JSON.parse(text))
    texts.set(place, { text, stored })
    return stored
  }

  // A program of forty steps takes milliseconds to check, and lists show all of them.
  function examine(tenant: string, program: Program): Examined {
    const [shared, imported] = [parts.shared(), parts.imported.of(tenant)]
    const known = examined.get(program)
    if (known?.shared === shared && known.imported === imported) return known.is
    const toolOfTenant = toolOf(tenant)
    const is = {
      ...tryCompose(program, toolOfTenant, parts),
      hashes: hashesOf(program, toolOfTenant),
    }
    examined.set(program, { shared, imported, is })
    return is
  }

  const toolOf =
    (tenant: string): ToolOf =>
    (name) =>
      parts.shared().find(({ id }) => id === name) ??
      parts.imported
        .of(tenant)
        .find(({ tool, quarantineReason }) => tool.id === name && quarantineReason === undefined)
        ?.tool

  async function list(tenant: string): Promise<readonly (readonly [string, Stored])[]> {
    const items = await parts.admin.list(tenant, 'program')
    return items.map(({ id, value }) => [id, readOnce(`${tenant} ${id}`, value)] as const)
  }

  return {
    toolOf,
    examine,
    list,
    async get(tenant, id) {
      const item = await parts.admin.get(tenant, 'program', id)
      return item && { version: item.version, stored: readOnce(`${tenant} ${id}`, item.value) }
    },
    async load(tenant) {
      loaded.set(tenant, new Map(await list(tenant)))
    },
    of(tenant) {
      const stored = loaded.get(tenant) ?? NONE
      const [shared, imported] = [parts.shared(), parts.imported.of(tenant)]
      const known = built.get(tenant)
      if (known?.stored === stored && known.shared === shared && known.imported === imported)
        return known.tools
      const tools = [...stored.values()].flatMap((one) =>
        toTenantTool(one, (program) => examine(tenant, program)),
      )
      built.set(tenant, { stored, shared, imported, tools })
      return tools
    },
  }
}

export function bind(toolOf: ToolOf, { schemas }: ProgramsParts) {
  return { toolOf, schemas }
}

export function hashesOf(program: Program, toolOf: ToolOf): Record<string, string> {
  return Object.fromEntries(
    callsOf(program).flatMap((name) => {
      const tool = toolOf(name)
      return tool === undefined ? [] : [[name, definitionHash(tool)]]
    }),
  )
}

/** The parts that are not what they were when the program was accepted. */
export function changedParts(program: Program, before: Hashes, now: Hashes): readonly string[] {
  return callsOf(program).filter((name) => now[name] === undefined || now[name] !== before[name])
}

function toTenantTool(
  { accepted, proposed }: Stored,
  examine: (program: Program) => Examined,
): readonly TenantTool[] {
  const current = accepted ?? proposed
  if (current === undefined) return []
  const { tool, hashes } = examine(current.program as Program)
  // A part is gone: what cannot be made cannot be called.
  if (tool === undefined) return []
  if (accepted === undefined)
    return [
      { tool, quarantineReason: 'it was proposed, and no administrator has accepted it yet.' },
    ]
  const [changed] = changedParts(accepted.program as Program, accepted.parts, hashes)
  const quarantineReason =
    changed === undefined
      ? undefined
      : `${changed}, which it calls, has changed since it was accepted. An administrator has to accept it again.`
  return [{ tool, quarantineReason }]
}

export function tryCompose(program: unknown, toolOf: ToolOf, parts: ProgramsParts) {
  try {
    return { ...compositeFromData(program, bind(toolOf, parts)), problem: undefined }
  } catch (thrown) {
    const problem = thrown instanceof Error ? thrown.message : String(thrown)
    return { tool: undefined, warnings: [], problem }
  }
}
