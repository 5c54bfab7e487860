import type { Clock } from '@surehand/core/ports'
import { createEgress, fetchThrough } from '@surehand/egress'
import { type ForeignListing, mountMcp } from '@surehand/mounted-mcp'
import type { ServerPlan } from './plan-server.ts'

const MOST_BYTES = 32 * 1_048_576
// npx may have to fetch the package first.
const START_MS = 180_000

export type Inspecting = {
  readonly tenant: string
  readonly clock: Clock
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Starts or reaches a server as its client does, and lists its tools. Nothing is stored. */
export async function inspectServer(
  plan: ServerPlan,
  { tenant, clock, environment }: Inspecting,
): Promise<ForeignListing> {
  const egress = createEgress({ policyOf: () => ({}), clock })
  const mount = mountMcp({
    name: plan.mount,
    transport: plan.kind === 'stdio' ? plan.address : { kind: 'http', url: plan.written.url },
    ...(plan.kind === 'stdio'
      ? { secrets: async () => plan.secrets }
      : {
          fetch: withHeaders(
            plan.written.headers,
            fetchThrough(egress, {
              tenant,
              credentialHeaders: Object.keys(plan.written.headers).map((name) =>
                name.toLowerCase(),
              ),
              allow: allowedHost(plan.privateHost),
              maxBytes: MOST_BYTES,
            }),
          ),
        }),
    environment,
    clock,
    limits: { connectMs: START_MS },
  })
  try {
    return await mount.tools()
  } finally {
    await mount.close()
    await egress.close()
  }
}

function withHeaders(
  headers: Readonly<Record<string, string>>,
  send: typeof globalThis.fetch,
): typeof globalThis.fetch {
  return (input, init = {}) => {
    const all = new Headers(headers)
    for (const [name, value] of new Headers(init.headers)) all.set(name, value)
    return send(input, { ...init, headers: all })
  }
}

function allowedHost(privateHost: string | undefined) {
  const [, host, port] = /^(.+):(\d+)$/.exec(privateHost ?? '') ?? []
  return host === undefined ? [] : [{ host, port: Number(port) }]
}
