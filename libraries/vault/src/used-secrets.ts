import { type Remover, remover } from './remover.ts'
import type { Secret } from './secret.ts'

/** The secrets of each house that were opened here, so that they can be taken out of whatever is said afterwards. */
export type UsedSecrets = {
  readonly remember: (tenant: string, secrets: Iterable<Secret>) => void
  /** Of these, made once. */
  readonly removers: (tenant: string, secrets: Iterable<Secret>) => readonly Remover[]
  readonly all: (tenant: string) => readonly Remover[]
}

// tokens are renewed for ever: the oldest go first, which are the ones that ran out first
const MOST_SECRETS = 500
const MOST_TENANTS = 5_000

export function usedSecrets(): UsedSecrets {
  const tenants = new Map<string, Map<string, Remover | undefined>>()

  function knownOf(tenant: string): Map<string, Remover | undefined> {
    const known = tenants.get(tenant) ?? new Map<string, Remover | undefined>()
    tenants.delete(tenant)
    tenants.set(tenant, known)
    dropOldest(tenants, MOST_TENANTS)
    return known
  }

  function removerOf(known: Map<string, Remover | undefined>, value: string): Remover | undefined {
    const found = known.has(value) ? known.get(value) : remover(value)
    known.delete(value)
    known.set(value, found)
    dropOldest(known, MOST_SECRETS)
    return found
  }

  function removers(tenant: string, secrets: Iterable<Secret>): readonly Remover[] {
    const known = knownOf(tenant)
    // the longest first: one that holds another is taken out whole
    const values = [...secrets]
      .map((held) => held.reveal())
      .sort((one, other) => other.length - one.length)
    return values.flatMap((value) => removerOf(known, value) ?? [])
  }

  return {
    remember: (tenant, secrets) => void removers(tenant, secrets),
    removers,
    all: (tenant) => {
      const known = [...(tenants.get(tenant) ?? [])]
      return known
        .sort(([one], [other]) => other.length - one.length)
        .flatMap(([, remove]) => remove ?? [])
    },
  }
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return
    map.delete(key)
  }
}
