import type {
  ApprovalSchema,
  AuditKeySchema,
  AuditProofSchema,
  AuditRecordSchema,
  CallTraceSchema,
  EnvelopeSchema,
  FiguresSchema,
  InboxItemSchema,
  OpenSessionSchema,
  QuestionSchema,
  RetentionSchema,
  RunTreeSchema,
  SearchResultSchema,
  SessionSchema,
  ToolAccessSchema,
  ToolContractSchema,
  ToolFiguresSchema,
  ToolSchema,
  WebhookDeliverySchema,
  WebhookSchema,
  WhatIfSchema,
} from '@surehand/edge/api'
import type { z } from 'zod'

// The schemas that the server publishes in its OpenAPI document.
export type Session = z.output<typeof SessionSchema>
export type Approval = z.output<typeof ApprovalSchema>
export type Question = z.output<typeof QuestionSchema>
export type InboxItem = z.output<typeof InboxItemSchema>
export type AuditRecord = z.output<typeof AuditRecordSchema>
export type AuditProof = z.output<typeof AuditProofSchema>
export type AuditKey = z.output<typeof AuditKeySchema>
export type Retention = z.output<typeof RetentionSchema>
export type CallTrace = z.output<typeof CallTraceSchema>
export type CallEnvelope = z.output<typeof EnvelopeSchema>
export type RunTree = z.output<typeof RunTreeSchema>
export type Tool = z.output<typeof ToolSchema>
export type FoundTool = z.output<typeof SearchResultSchema>
export type ToolContract = z.output<typeof ToolContractSchema>
export type ToolAccess = z.output<typeof ToolAccessSchema>
export type ToolFigures = z.output<typeof ToolFiguresSchema>
export type Figures = z.output<typeof FiguresSchema>
export type OpenSession = z.output<typeof OpenSessionSchema>
export type Webhook = z.output<typeof WebhookSchema>
export type WebhookDelivery = z.output<typeof WebhookDeliverySchema>
export type WhatIf = z.output<typeof WhatIfSchema>

export type Page<T> = { readonly items: readonly T[]; readonly next_cursor: string | null }
