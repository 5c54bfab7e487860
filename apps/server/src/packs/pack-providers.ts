import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isToolError, type Pack, type Runtime } from '@surehand/core'
import {
  type PackAuditRecord,
  type PackEvidence,
  type PackGiven,
  readUnknownCalls,
} from '@surehand/core/host'
import type { Clock } from '@surehand/core/ports'
import { type Identity, systemCaller } from '@surehand/identity'
import type { SqlStores } from '@surehand/sql'
import type { Vault } from '@surehand/vault'
import type { Config } from '../config/read-config.ts'
import type { Artifacts } from './artifacts.ts'
import { demoEnvironment } from './demos.ts'
import type { PackEgress } from './pack-egress.ts'

export type PackParts = {
  readonly config: Config
  readonly stores: SqlStores
  readonly clock: Clock
  readonly artifacts: Artifacts
  readonly publicUrl: string
  readonly vault: Pick<Vault, 'applySecurity'>
  readonly identity: Pick<Identity, 'authenticateSession'>
  /** The runtime is created after its providers. */
  readonly runtime: () => Pick<Runtime, 'call' | 'resolveUnknown'>
}

export type PackProviders = {
  readonly providers: Readonly<Record<string, object>>
  /** What one pack receives, for its routes and its demo. */
  readonly givenOf: (pack: string) => PackGiven
  readonly close: () => Promise<void>
}

/** Creates the providers that packs bring themselves, each with its own context. */
export function createPackProviders(packs: readonly Pack[], parts: PackParts): PackProviders {
  let opening: Promise<PackEgress> | undefined
  // Egress is loaded with the first request.
  const openOnce = async (): Promise<PackEgress> =>
    (await import('./pack-egress.ts')).createPackEgress(parts)
  const way = (): Promise<PackEgress> => {
    opening ??= openOnce()
    return opening
  }
  const given = new Map(packs.map((pack) => [pack.name, packContext(pack, parts, way)]))
  const givenOf = (pack: string): PackGiven => {
    const found = given.get(pack)
    if (found === undefined) throw new TypeError(`There is no pack "${pack}" here.`)
    return found
  }
  const made = packs.map((pack) => pack.providers?.(givenOf(pack.name)) ?? {})
  return {
    givenOf,
    providers: Object.assign({}, ...made) as Record<string, object>,
    close: async () => (await opening)?.close(),
  }
}

function packContext(
  pack: Pack,
  { config, stores, clock, artifacts, publicUrl, identity, runtime }: PackParts,
  way: () => Promise<PackEgress>,
): PackGiven {
  const folder = join(config.data, 'packs', pack.name)
  return {
    ...withDemoEnvironment(config.packEnvironment(pack), demoEnvironment(config, pack.name)),
    query: (sql, values) => stores.database.query(sql, values),
    values: stores.values,
    fetch: (going) => async (input, init) => (await way()).fetch(going)(input, init),
    keepArtifact: artifacts.keep,
    // Created on first access: most packs store no files.
    get folder() {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      return folder
    },
    now: clock.now,
    publicUrl,
    call: (request) => runtime().call(request),
    callerOf: (tenant, principal) =>
      identity.authenticateSession({
        id: 'pack',
        tenant,
        principal,
        expiresAt: Number.POSITIVE_INFINITY,
      }),
    systemCaller,
    audit: (filter) => readAudit(filter, stores),
    settleUnknown: (evidence) => settleUnknown(evidence, runtime()),
    unknownCalls: (filter) => readUnknownCalls(stores.calls, filter),
    async eraseCalls(order) {
      const { erased, underWay } = await stores.eraseRequests(order)
      return { erased, underWay: underWay.length }
    },
  }
}

async function readAudit(
  filter: Parameters<PackGiven['audit']>[0],
  { audit, calls }: Pick<SqlStores, 'audit' | 'calls'>,
): Promise<readonly PackAuditRecord[]> {
  const records = await audit.list(filter)
  return Promise.all(
    records.map(async (record) => ({
      ...record,
      idempotency_key: (await calls.get(record.tenant, record.call_id))?.key ?? '',
    })),
  )
}

async function settleUnknown(
  { tenant, callId, text, output }: PackEvidence,
  runtime: Pick<Runtime, 'resolveUnknown'>,
): Promise<boolean> {
  try {
    await runtime.resolveUnknown(systemCaller(tenant), callId, { found: 'done', text, output })
    return true
  } catch (thrown) {
    // It ended by itself, was settled by a person, or was pruned.
    if (isToolError(thrown) && SETTLED.has(thrown.code)) return false
    throw thrown
  }
}

const SETTLED: ReadonlySet<string> = new Set(['TOOL_GATE_CLOSED', 'TOOL_RESOURCE_NOT_FOUND'])

type EnvironmentAccess = Pick<PackGiven, 'secret' | 'setting'>

// An installation's own keys take precedence over those of the demo's emulators.
function withDemoEnvironment(
  { secret, setting }: EnvironmentAccess,
  demo: Readonly<Record<string, string>>,
): EnvironmentAccess {
  return {
    secret: (name) => secret(name) ?? demo[name],
    setting: (name) => setting(name) ?? demo[name],
  }
}
