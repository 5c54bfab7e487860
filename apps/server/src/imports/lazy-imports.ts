import type { AdminApi } from '@surehand/core/host'
import type { TenantTool, TenantTools } from '@surehand/core/ports'
import type { ImportsApi } from '@surehand/imports'
import type { CredentialsApi, Vault } from '@surehand/vault'
import { createKeptFiles, type KeptFiles } from './kept-files.ts'
import type { ImportParts, OpenedImports } from './open-imports.ts'

/** The services behind tenant tools, opened on first use: a plain call must not wait for them. */
export type LazyImports = {
  readonly tenantTools: TenantTools
  readonly imports: ImportsApi
  readonly credentials: CredentialsApi
  readonly vault: Pick<
    Vault,
    'applySecurity' | 'beginAuthorization' | 'finishAuthorization' | 'reseal'
  >
  /** What was too large for the answers of tenant tools. */
  readonly files: KeptFiles
  /** Refreshes sources and follows their changes, until stopped. */
  readonly watch: (tenants: () => Promise<readonly string[]>) => () => Promise<void>
  readonly close: () => Promise<void>
}

const NOTHING: readonly TenantTool[] = []

export function lazyImports(
  parts: Omit<ImportParts, 'keep'>,
  administration: () => AdminApi,
): LazyImports {
  const files = createKeptFiles(parts.stores.values, parts)
  let opening: Promise<OpenedImports> | undefined
  let opened: OpenedImports | undefined

  async function openOnce(): Promise<OpenedImports> {
    const { openImports } = await import('./open-imports.ts')
    opened ??= openImports({ ...parts, keep: files.keep }, administration())
    return opened
  }
  const open = (): Promise<OpenedImports> => {
    opening ??= openOnce()
    return opening
  }
  const hasAny = async (tenant: string): Promise<boolean> =>
    (await parts.stores.admin.list(tenant, 'tool')).length > 0

  return {
    tenantTools: {
      async load(tenant) {
        if (opened !== undefined || (await hasAny(tenant)))
          await (await open()).imports.load(tenant)
      },
      of: (tenant) => opened?.imports.of(tenant) ?? NOTHING,
      provider: (portName) => opened?.imports.provider(portName),
    },
    imports: importsLater(open),
    credentials: {
      list: async (by) => (await open()).credentials.list(by),
      put: async (by, id, form, expected) => (await open()).credentials.put(by, id, form, expected),
      remove: async (by, id, expected) => (await open()).credentials.remove(by, id, expected),
    },
    vault: {
      applySecurity: async (request, call, options) =>
        (await open()).vault.applySecurity(request, call, options),
      beginAuthorization: async (by, credential, options) =>
        (await open()).vault.beginAuthorization(by, credential, options),
      finishAuthorization: async (by, cameBack) =>
        (await open()).vault.finishAuthorization(by, cameBack),
      reseal: async (tenant) => (await open()).vault.reseal(tenant),
    },
    files,
    watch(tenants) {
      const watching = open().then(({ watch }) => watch(tenants))
      return async () => (await watching)()
    },
    close: async () => opened?.close(),
  }
}

function importsLater(open: () => Promise<OpenedImports>): ImportsApi {
  return {
    preview: async (by, name, form, signal) => (await open()).api.preview(by, name, form, signal),
    add: async (by, name, form, signal) => (await open()).api.add(by, name, form, signal),
    list: async (by) => (await open()).api.list(by),
    get: async (by, name) => (await open()).api.get(by, name),
    refresh: async (by, name, signal) => (await open()).api.refresh(by, name, signal),
    accept: async (by, name, what) => (await open()).api.accept(by, name, what),
    remove: async (by, name) => (await open()).api.remove(by, name),
  }
}
