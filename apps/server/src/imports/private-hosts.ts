import { type AllowedHost, createEgress, type Egress } from '@surehand/egress'
import type { Config } from '../config/read-config.ts'

const WEB_PORTS = [80, 443]

/**
 * Parses the hosts in private networks that tenants may reach: `HOST`, `HOST:PORT`, or for one
 * tenant only `TENANT=HOST:PORT`.
 */
export function parsePrivateHosts(
  listed: readonly string[],
): (tenant: string) => readonly AllowedHost[] {
  const entries = listed.map(readEntry)
  return (tenant) =>
    entries
      .filter((entry) => entry.tenant === undefined || entry.tenant === tenant)
      .flatMap(({ hosts }) => hosts)
}

/** Opens requests to public addresses, and to the private hosts that the configuration names. */
export function openEgress({ privateHosts }: Pick<Config, 'privateHosts'>): Egress {
  const hostsOf = parsePrivateHosts(privateHosts)
  return createEgress({ policyOf: (tenant) => ({ allow: hostsOf(tenant) }) })
}

function readEntry(text: string): {
  readonly tenant: string | undefined
  readonly hosts: readonly AllowedHost[]
} {
  const [, tenant, host = text, port] = /^(?:([a-z0-9-]+)=)?(.+?)(?::(\d{1,5}))?$/.exec(text) ?? []
  const ports = port === undefined ? WEB_PORTS : [Number(port)]
  return { tenant, hosts: ports.map((one) => ({ host, port: one })) }
}
