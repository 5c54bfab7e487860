// Exports, proofs and the verification of an audit, apart from the stores: a command that calls a tool
// does not load them.
export { exportAudit } from './audit/export-audit.ts'
export { proveRecord } from './audit/prove-record.ts'
export { verifyAuditFile } from './audit/verify-audit.ts'
export { verifyStored } from './audit/verify-stored.ts'
