import type { AdminStore } from '@surehand/core/ports'

export type AdministrationWatch = {
  /** Starts watching a tenant that has a connected client. */
  readonly note: (tenant: string) => void
  readonly close: () => void
}

const LOOK_EVERY_MS = 2_000
const MOST_TENANTS = 1_000

/** Polls the tenants of connected clients for changes by administrators, made on any node. */
export function watchAdministration(
  store: Pick<AdminStore, 'version'>,
  onChange: () => void,
): AdministrationWatch {
  const versions = new Map<string, number | undefined>()
  let isLooking = false

  async function checkVersions(): Promise<void> {
    let isChanged = false
    for (const [tenant, before] of versions) {
      const version = await store.version(tenant)
      versions.set(tenant, version)
      isChanged ||= before !== undefined && version !== before
    }
    if (isChanged) onChange()
  }

  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    // The store is unreachable for the moment: the next round tries again.
    checkVersions()
      .catch(() => undefined)
      .finally(() => {
        isLooking = false
      })
  }, LOOK_EVERY_MS)
  timer.unref()
  return {
    note(tenant) {
      if (!versions.has(tenant) && versions.size < MOST_TENANTS) versions.set(tenant, undefined)
    },
    close: () => clearInterval(timer),
  }
}
