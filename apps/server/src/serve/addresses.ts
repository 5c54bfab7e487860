import type { Config } from '../config/read-config.ts'

/** The address of the server, and the host names it answers to. */
export type Addresses = {
  /** `https://tools.example`, without a trailing slash. */
  readonly publicUrl: string
  readonly publicHost: string
  /** Accepted Host headers. */
  readonly hosts: readonly string[]
}

export function addressesOf(config: Config, port: number): Addresses {
  const publicUrl = new URL(config.publicUrl ?? `http://${ownName(config.host)}:${port}`)
  const here =
    isLoopback(config.host) || config.publicUrl === undefined
      ? [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`]
      : []
  const hosts = new Set(
    [publicUrl.host, ...here, ...config.hosts].map((name) => name.toLowerCase()),
  )
  return { publicUrl: publicUrl.origin, publicHost: publicUrl.host, hosts: [...hosts] }
}

// Bound to every address, the only one known is this machine's own.
function ownName(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}
