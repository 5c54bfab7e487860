import type { Tx } from '@surehand/core'

/** Why a person must look. */
export const ATTENTION_KINDS = [
  'unsure_reply',
  'unmatched_reply',
  'voice_note',
  'unreadable_picture',
  'unsupported_message',
  'no_vendors',
  'stuck_request',
  'operator_wanted',
  'unhandled_event',
] as const
export type AttentionKind = (typeof ATTENTION_KINDS)[number]

export type Attention = {
  readonly tenant: string
  readonly now: number
  readonly id: string
  readonly kind: AttentionKind
  /** What it is about: raised once by kind and subject. */
  readonly subject: string
  readonly reason: string
  readonly requestId?: string | null | undefined
  readonly conversationId?: string | null | undefined
  readonly vendorId?: string | null | undefined
  readonly messageId?: string | null | undefined
}

/** Puts something on the list that people work through, once. */
export async function raiseAttention(tx: Tx, attention: Attention): Promise<void> {
  const { tenant, now, id, kind, subject, reason } = attention
  await tx.run(
    `insert into mk_attention (tenant, id, kind, subject, reason, request_id, conversation_id, vendor_id, message_id, state, created_at)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, 'open', ?) on conflict (tenant, kind, subject) do nothing`,
    tenant,
    id,
    kind,
    subject,
    reason,
    attention.requestId ?? null,
    attention.conversationId ?? null,
    attention.vendorId ?? null,
    attention.messageId ?? null,
    now,
  )
}
