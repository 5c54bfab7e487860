import type { Runtime } from '@surehand/core'
import type { AdminStore, Clock, TenantTool, TenantTools } from '@surehand/core/ports'
import type { createPrograms, ProgramsApi } from '@surehand/programs'

type Parts = {
  readonly stores: { readonly admin: AdminStore }
  readonly clock: Clock
  readonly imports: { readonly tenantTools: TenantTools }
}

type Combined = {
  readonly imported: readonly TenantTool[]
  readonly made: readonly TenantTool[]
  readonly all: readonly TenantTool[]
}

/** Tools that agents proposed and people accepted, beside the imported ones; loaded on first use. */
export function lazyPrograms(
  { stores: { admin }, clock, imports: { tenantTools: imported } }: Parts,
  runtime: () => Runtime,
): {
  readonly tenantTools: TenantTools
  readonly programs: ProgramsApi
} {
  let opening: Promise<ReturnType<typeof createPrograms>> | undefined
  let opened: ReturnType<typeof createPrograms> | undefined
  const combined = new Map<string, Combined>()

  async function openOnce(): Promise<ReturnType<typeof createPrograms>> {
    const [{ createPrograms: create }, { foreignSchemas }] = await Promise.all([
      import('@surehand/programs'),
      import('@surehand/json-schema'),
    ])
    opened = create({
      admin,
      clock,
      imported,
      administration: () => runtime().administration,
      shared: () => runtime().tools(),
      schemas: foreignSchemas(),
      call: (tool, input, caller) => runtime().call({ tool, input, caller, surface: 'dry-run' }),
    })
    return opened
  }
  const open = (): ReturnType<typeof openOnce> => {
    opening ??= openOnce()
    return opening
  }

  return {
    tenantTools: {
      async load(tenant) {
        await imported.load(tenant)
        if (opened !== undefined || (await admin.list(tenant, 'program')).length > 0)
          await (await open()).load(tenant)
      },
      of(tenant) {
        const theirs = imported.of(tenant)
        const made = opened?.of(tenant) ?? []
        if (made.length === 0 && !combined.has(tenant)) return theirs
        const known = combined.get(tenant)
        if (known?.imported === theirs && known.made === made) return known.all
        const all = [...theirs, ...made]
        combined.set(tenant, { imported: theirs, made, all })
        return all
      },
      provider: imported.provider,
    },
    programs: {
      propose: async (by, form) => (await open()).api.propose(by, form),
      list: async (by) => (await open()).api.list(by),
      get: async (by, id) => (await open()).api.get(by, id),
      dryRun: async (by, id, input) => (await open()).api.dryRun(by, id, input),
      accept: async (by, id, digest) => (await open()).api.accept(by, id, digest),
      remove: async (by, id) => (await open()).api.remove(by, id),
    },
  }
}
