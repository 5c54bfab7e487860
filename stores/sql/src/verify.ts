// The verification of an audit, apart from the stores: a command that calls a tool does not load it.
export { verifyAuditFile } from './audit/verify-audit.ts'
export { verifyStored } from './audit/verify-stored.ts'
