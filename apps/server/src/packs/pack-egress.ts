import type { PackFetch, PackGiven } from '@surehand/core/host'
import type { Clock } from '@surehand/core/ports'
import { type AllowedHost, createEgress, fetchThrough } from '@surehand/egress'
import { accountFetch, type Vault } from '@surehand/vault'
import type { Config } from '../config/read-config.ts'
import { parsePrivateHosts } from '../imports/private-hosts.ts'

/** How packs send requests: always through egress. */
export type PackEgress = { readonly fetch: PackGiven['fetch']; readonly close: () => Promise<void> }

export type PackEgressContext = {
  readonly config: Pick<Config, 'privateHosts'>
  readonly clock: Clock
  /** Adds credentials to requests that use a tenant's account. */
  readonly vault: Pick<Vault, 'applySecurity'>
}

export function createPackEgress({ config, clock, vault }: PackEgressContext): PackEgress {
  const opened = parsePrivateHosts(config.privateHosts)
  const egress = createEgress({ policyOf: (tenant) => ({ allow: opened(tenant) }), clock })
  const parts = { egress, vault }
  return {
    fetch: (going) =>
      going.account === undefined
        ? fetchThrough(egress, sentAs(going))
        : accountFetch(parts, { ...going.account, tenant: going.tenant }, sentAs(going)),
    close: () => egress.close(),
  }
}

function sentAs({ tenant, trusted, maxBytes }: PackFetch): Parameters<typeof fetchThrough>[1] {
  return {
    tenant,
    allow: trusted === undefined ? [] : [hostOf(trusted)],
    ...(maxBytes === undefined ? {} : { maxBytes }),
  }
}

function hostOf(address: string): AllowedHost {
  const { hostname, port, protocol } = new URL(address)
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  }
}
