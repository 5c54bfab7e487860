import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HttpAudit } from '@surehand/http'
import {
  fileAnchor,
  RETENTION_DAYS,
  readAnchors,
  type SqlStores,
  stdoutAnchor,
  type Trust,
} from '@surehand/sql'
import type { Config } from './config/read-config.ts'
import type { Keys } from './keys.ts'

export type AuditParts = {
  readonly config: Config
  readonly keys: Keys
  readonly stores: SqlStores
}

/** Sequences and signs audit records while the server runs, and prunes old rows. */
export type AppMaintenance = {
  readonly start: () => void
  readonly stop: () => Promise<void>
  /** Gives recent records their place in the Merkle tree, also where maintenance is not running. */
  readonly seal: () => Promise<void>
}

export function createMaintenance({
  config,
  keys,
  stores,
  onTrouble,
}: AuditParts & { readonly onTrouble: (thrown: unknown) => void }): AppMaintenance {
  const maintain = () =>
    stores.maintain({ audit: { key: keys.audit, anchors: createAnchors(config) } })
  let stop: (() => Promise<number>) | undefined
  return {
    start() {
      stop ??= maintain()
    },
    async stop() {
      if (stop === undefined) return
      // Records that are still in memory get their place too.
      await stores.audit.flush()
      const left = await stop()
      if (left > 0) onTrouble(new Error(describeRest(left)))
    },
    async seal() {
      await stores.audit.flush()
      if (stop === undefined) await maintain()()
    },
  }
}

function describeRest(left: number): string {
  const [records, their] =
    left === 1 ? ['1 audit record has', 'it'] : [`${left} audit records have`, 'them']
  return `${records} no place in the audit tree yet. The next start of a node gives ${their} one; until then nothing is proven about ${their}.`
}

/** The file of signed tree heads that is stored outside the database. */
function headsFile({ data, auditAnchor }: Pick<Config, 'data' | 'auditAnchor'>): string {
  return auditAnchor === undefined || auditAnchor === 'stdout'
    ? join(data, 'audit-heads.jsonl')
    : auditAnchor
}

function createAnchors(config: Config) {
  const path = headsFile(config)
  // A node that shares its database may sign no head for long. Its file exists from the start, so
  // that a missing file is always a sign of trouble.
  closeSync(openSync(path, 'a', 0o600))
  const file = fileAnchor(path)
  return config.auditAnchor === 'stdout' ? [file, stdoutAnchor()] : [file]
}

export function createAuditApi(
  { stores, config, keys }: AuditParts,
  seal: () => Promise<void>,
): HttpAudit {
  return {
    list: (filter) => stores.audit.list(filter),
    figures: (filter) => stores.audit.figures(filter),
    traces: (tenant, callId) => stores.traces.list(tenant, callId),
    // The size of the database tells of all tenants.
    samples: (filter) => stores.samples({ ...filter, withSize: filter.tenant === config.home }),
    async *export(tenant) {
      await seal()
      const { exportAudit } = await import('@surehand/sql/verify')
      yield* exportAudit(stores.database, tenant)
    },
    // Verification only reads. If it signed what it finds, a record that was put into the database
    // would be signed by being verified.
    async verify(tenant) {
      await stores.audit.flush()
      const { verifyStored } = await import('@surehand/sql/verify')
      const trust = { ...readAuditTrust(config, keys), sealKey: keys.seal }
      return verifyStored(stores.database, tenant, trust)
    },
    async prove(tenant, recordId) {
      await stores.audit.flush()
      const { proveRecord } = await import('@surehand/sql/verify')
      return proveRecord(stores.database, tenant, recordId)
    },
    retention: RETENTION_DAYS,
    publicKeys: () =>
      keys.auditPublic.map(({ id, publicKey }) => ({
        key_id: id,
        public_key: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
      })),
  }
}

/** The keys whose signed tree heads are accepted, and the heads stored outside the database. */
export function readAuditTrust(config: Config, { auditPublic }: Pick<Keys, 'auditPublic'>): Trust {
  const file = headsFile(config)
  const isMissing = !existsSync(file)
  // Nodes that share a PostgreSQL database have a file each, which need not contain every tenant.
  const isOnlyFile = config.databaseUrl === undefined
  return {
    publicKeys: auditPublic,
    anchors: isMissing ? [] : readAnchors(readFileSync(file, 'utf8')),
    ...(isMissing || isOnlyFile
      ? { anchorsExpectedIn: isMissing ? `${file}, which is missing` : file }
      : {}),
  }
}
