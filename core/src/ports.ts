// The interfaces that stores, clocks and other providers of a runtime implement.

// Calls

export type {
  BootTime,
  CallRow,
  CallState,
  EffectMark,
  KeyScope,
  NewCall,
  OpenCall,
  StartedEffect,
  StoredAnswer,
} from './call/call-row.ts'
export type { Maybe } from './call/maybe.ts'
export {
  type ExpiryPlace,
  type Page,
  type PageRequest,
  placeOf,
  readPlace,
  toPage,
} from './call/page.ts'
export type {
  CallStore,
  Claim,
  ClaimRequest,
  Ending,
  Evidence,
  Fence,
  LocalDone,
  LocalRun,
  OpenCallFilter,
} from './ports/calls.ts'
export type { Job, JobStore } from './ports/jobs.ts'

// Approvals, questions and runs

export type { Approval, ApprovalState, Decision, Delegation } from './call/approval.ts'
export type { GivenAnswer, Question, QuestionState } from './call/question.ts'
export type {
  ApprovalFilter,
  ApprovalStore,
  Asked,
  AskedAgain,
  Decided,
  NewApproval,
} from './ports/approvals.ts'
export type {
  Answered,
  JournalAnswer,
  JournalEntry,
  NewQuestion,
  Parking,
  RunStore,
  StoredUndo,
  Written,
} from './ports/runs.ts'

// Audit, limits, caches and values

export type { ValueChange, ValueStore } from './define/value-store.ts'
export type { AuditEntry, AuditFilter, AuditRecord, AuditStore } from './ports/audit.ts'
export type { CacheStore } from './ports/cache.ts'
export {
  ALL_BY_HOUR,
  ALL_TOOLS,
  addFigures,
  type CallFigures,
  countOver,
  type FiguresFilter,
  type FiguresFound,
  figuresOf,
  HOUR_SLOT_MS,
  percentile,
  SLOT_MS,
} from './ports/call-figures.ts'
export type { Bucket, LimitStore, Taken } from './ports/limits.ts'

// Administration and tools of tenants

export type { ForeignSchemas } from './define/foreign-schemas.ts'
export type {
  AdminChange,
  AdminItem,
  AdminKind,
  AdminStore,
  Changed,
} from './ports/administration.ts'
export type {
  DeliveryPlace,
  DeliveryResult,
  Endpoint,
  Hearing,
  Notice,
  NoticeStore,
  WebhookDelivery,
} from './ports/notices.ts'
export type { TenantTool, TenantTools } from './ports/tenant-tools.ts'
export type { IndexedText, TextIndex } from './ports/text-index.ts'

// Time, randomness and telemetry

export { afterMicrotasks } from './ports/after-microtasks.ts'
export { type Clock, sleep, systemClock } from './ports/clock.ts'
export { type Entropy, systemEntropy } from './ports/entropy.ts'
export {
  areSmallPartsWanted,
  askForSmallParts,
  doInTurn,
  letLightPass,
  nextPart,
} from './ports/small-parts.ts'
export type { CallMeasure, CallSpan, StageMeasure, Telemetry } from './ports/telemetry.ts'
export type {
  CallTrace,
  TimedAttempt,
  TimedRequest,
  TimedStage,
  TraceStore,
} from './ports/traces.ts'
