import type { Secret } from './secret.ts'
import { createSecretRemover, type SecretRemover } from './secret-remover.ts'

/**
 * The secrets of each tenant that this process decrypted, so that they can be removed from logs and
 * errors afterwards.
 */
export type UsedSecrets = {
  readonly remember: (tenant: string, secrets: Iterable<Secret>) => void
  /** One remover for each of these secrets, compiled once. */
  readonly removers: (tenant: string, secrets: Iterable<Secret>) => readonly SecretRemover[]
  readonly all: (tenant: string) => readonly SecretRemover[]
}

// Tokens are renewed without end, so the oldest secrets are dropped: those expired first.
const MAX_SECRETS_PER_TENANT = 500
const MAX_TENANTS = 5_000

export function createUsedSecrets(): UsedSecrets {
  const tenants = new Map<string, Map<string, SecretRemover | undefined>>()

  function secretsOf(tenant: string): Map<string, SecretRemover | undefined> {
    const known = tenants.get(tenant) ?? new Map<string, SecretRemover | undefined>()
    tenants.delete(tenant)
    tenants.set(tenant, known)
    dropOldest(tenants, MAX_TENANTS)
    return known
  }

  function removerOf(
    known: Map<string, SecretRemover | undefined>,
    value: string,
  ): SecretRemover | undefined {
    const found = known.has(value) ? known.get(value) : createSecretRemover(value)
    known.delete(value)
    known.set(value, found)
    dropOldest(known, MAX_SECRETS_PER_TENANT)
    return found
  }

  function removers(tenant: string, secrets: Iterable<Secret>): readonly SecretRemover[] {
    const known = secretsOf(tenant)
    // The longest first, so that a secret that contains another is removed whole.
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
