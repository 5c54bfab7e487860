export { type Anchor, fileAnchor, readAnchors, stdoutAnchor } from './audit/anchors.ts'
export {
  type AuditKey,
  createAuditKey,
  publicKeyOf,
  readAuditKey,
  readPublicAuditKey,
  writeAuditKey,
  writePublicAuditKey,
} from './audit/audit-key.ts'
export type { Erased, EraseRequest } from './audit/erase.ts'
export { exportAudit, latestHead } from './audit/export-audit.ts'
export {
  type ConsistencyProof,
  type ConsistencyVerdict,
  proveConsistency,
  verifyConsistency,
} from './audit/prove-consistency.ts'
export { proveRecord, type RecordProof } from './audit/prove-record.ts'
export type { SignedHead } from './audit/signed-head.ts'
export type { Trust, Verdict } from './audit/verifier.ts'
export { verifyAudit, verifyAuditFile } from './audit/verify-audit.ts'
export { type ProofVerdict, verifyProof } from './audit/verify-proof.ts'
export { verifyStored } from './audit/verify-stored.ts'
export { readBoot } from './boot.ts'
export type { Maintenance } from './maintain.ts'
export type { PostgresOptions, SqliteOptions, SqlOptions } from './options.ts'
export { RETENTION_DAYS } from './prune.ts'
export type { SqlStores } from './sql-stores.ts'
export { openPostgres, openSqlite } from './sql-stores.ts'
