import type { AdminStore } from '@surehand/core/ports'

export type AdministrationWatch = {
  /** Somebody of this tenant is here: its changes are worth telling. */
  readonly note: (tenant: string) => void
  readonly close: () => void
}

const LOOK_EVERY_MS = 2_000
const MOST_TENANTS = 1_000

/** Looks, while people of a tenant are here, whether what administrators set has changed, on whichever node they did. */
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
    // out of reach for the moment: the next look tells
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
