export { ANONYMOUS, type Caller } from './call/caller.ts'
export { type Envelope, toEnvelope } from './call/envelope.ts'
export type { ToolErrorCode } from './call/errors.ts'
export type { Outcome } from './call/outcome.ts'
export type { CallRequest } from './call/request.ts'
export { isToolError, ToolError } from './call/tool-error.ts'
export type {
  ApprovalRule,
  ApprovalText,
  Budget,
  CacheRule,
  Contract,
  Fact,
  Gate,
  Limit,
  Permissions,
  ReadContract,
  WriteContract,
} from './define/contract.ts'
export type { Duration } from './define/duration.ts'
export { IdempotencyKey } from './define/idempotency-key.ts'
export { definePack, type Pack } from './define/pack.ts'
export {
  definePort,
  lookUp,
  type Port,
  type Recovery,
  sameKey,
  unrecoverable,
} from './define/port.ts'
export { type Run, undoWith } from './define/run.ts'
export { sensitive } from './define/sensitive.ts'
export {
  defineTool,
  type Example,
  type Execution,
  type Tool,
  type ToolForm,
  transact,
} from './define/tool.ts'
export { defineTransaction, type Transaction, type Tx } from './define/transaction.ts'
export { memoryStores } from './memory/memory-stores.ts'
export type { Stores } from './ports/stores.ts'
export { createRuntime } from './runtime/create-runtime.ts'
export type { Runtime, RuntimeOptions } from './runtime/runtime.ts'
