export { isAbandoned } from './ports/abandoned.ts'
export type {
  AdminChange,
  AdminItem,
  AdminKind,
  AdminStore,
  Changed,
} from './ports/administration.ts'
export type {
  Approval,
  ApprovalState,
  ApprovalStore,
  Asked,
  Decided,
  Decision,
  EditedQuestion,
  NewApproval,
} from './ports/approvals.ts'
export type { AuditEntry, AuditFilter, AuditRecord, AuditStore } from './ports/audit.ts'
export type { Brought, BroughtProvider, TenantTools } from './ports/brought-tools.ts'
export type { CacheStore } from './ports/cache.ts'
export type {
  CallRow,
  CallState,
  CallStore,
  Claim,
  ClaimRequest,
  EffectMark,
  Ending,
  Evidence,
  Fence,
  KeyScope,
  KeySource,
  LocalDone,
  LocalRun,
  NewCall,
  OpenCall,
  OpenCallFilter,
  StartedEffect,
  StoredAnswer,
} from './ports/calls.ts'
export { type Entropy, systemEntropy } from './ports/chance.ts'
export { type Clock, sleep, systemClock } from './ports/clock.ts'
export type { ForeignSchemas } from './ports/foreign-schema.ts'
export type { Job, JobStore } from './ports/jobs.ts'
export type { Bucket, LimitStore, Taken } from './ports/limits.ts'
export type { Maybe } from './ports/maybe.ts'
export type { Hearing, Notice, NoticeStore } from './ports/notices.ts'
export type {
  Answered,
  GivenAnswer,
  JournalAnswer,
  JournalEntry,
  NewQuestion,
  Parking,
  Question,
  QuestionFilter,
  QuestionState,
  RunStore,
  StoredUndo,
  Written,
} from './ports/runs.ts'
export type { CallMeasure, CallSpan, StageMeasure, Telemetry } from './ports/telemetry.ts'
export type { IndexedText, TextIndex } from './ports/text-index.ts'
export type { ValueStore } from './ports/values.ts'
