import { z } from 'zod'

/** The states of a request. */
export const RequestState = z.enum([
  'collecting_requirements',
  'ocr_processing',
  'vendor_outreach',
  'awaiting_vendor_replies',
  'shortlist_ready',
  'handed_off',
  'closed',
  'error',
])
export type RequestState = z.output<typeof RequestState>

/** Which states may follow which; a state never follows itself. */
export const REQUEST_TRANSITIONS: Readonly<Record<RequestState, readonly RequestState[]>> = {
  collecting_requirements: ['ocr_processing', 'vendor_outreach', 'error', 'closed'],
  ocr_processing: ['collecting_requirements', 'vendor_outreach', 'error'],
  vendor_outreach: ['awaiting_vendor_replies', 'error'],
  awaiting_vendor_replies: ['shortlist_ready', 'vendor_outreach', 'error'],
  shortlist_ready: ['handed_off', 'closed', 'error'],
  handed_off: ['closed'],
  closed: [],
  error: ['collecting_requirements', 'closed'],
}

export function mayFollow(from: RequestState, to: RequestState): boolean {
  return REQUEST_TRANSITIONS[from].includes(to)
}

export const ShortlistItem = z.object({
  vendor_id: z.string(),
  vendor_name: z.string(),
  vendor_phone: z.string(),
  response_summary: z.string(),
  price: z.number().optional(),
  availability: z.string().optional(),
  metadata: z.record(z.string(), z.json()).optional(),
})
export type ShortlistItem = z.output<typeof ShortlistItem>

export const MAX_SHORTLIST_ITEMS = 5

/** What the client needs, as far as it is known. Agents may add fields of their own. */
export type Requirements = {
  /** The thing or service, in the client's words. */
  readonly need?: string
  readonly category?: string
  readonly location_text?: string
  /** Items that were read from a prescription or a list. */
  readonly items?: readonly unknown[]
  readonly [field: string]: unknown
}

export const OUTREACH_STATES = [
  'queued',
  'sent',
  'replied',
  'no_response',
  'failed',
  'excluded',
] as const
export const OutreachState = z.enum(OUTREACH_STATES)
export type OutreachState = z.output<typeof OutreachState>

/** A reply after `no_response` is legal; after `excluded` only its text is stored. */
export const OUTREACH_TRANSITIONS: Readonly<Record<OutreachState, readonly OutreachState[]>> = {
  queued: ['sent', 'failed', 'excluded'],
  sent: ['replied', 'no_response', 'excluded'],
  replied: [],
  no_response: ['replied'],
  failed: [],
  excluded: [],
}

export const OutreachSummary = z.object({
  total_vendors: z.int(),
  queued: z.int(),
  sent: z.int(),
  replied: z.int(),
  no_response: z.int(),
  failed: z.int(),
  excluded: z.int(),
})
export type OutreachSummary = z.output<typeof OutreachSummary>

export const ConsentState = z.enum(['not_requested', 'requested', 'granted', 'denied', 'expired'])
export type ConsentState = z.output<typeof ConsentState>

export const CallState = z.enum([
  'initiated',
  'ringing',
  'answered',
  'completed',
  'failed',
  'no_answer',
  'busy',
])
export type CallState = z.output<typeof CallState>

export const OcrStatus = z.enum(['pending', 'processing', 'completed', 'failed'])
export type OcrStatus = z.output<typeof OcrStatus>
