import { z } from 'zod'
import { Digest, Time } from './tool-schemas.ts'

export const ApprovalSchema = z
  .looseObject({
    id: z.string(),
    tenant: z.string(),
    principal: z.string().describe('Who called the tool.'),
    tool: z.string(),
    tool_version: z.string(),
    definition_hash: z.string(),
    input_hash: z.string(),
    call_id: z.string(),
    kind: z.enum(['confirm', 'consent', 'admin']),
    reversible: z.boolean(),
    asks: z.string(),
    shown: z.string().describe('JSON, byte for byte what the digest is made of.'),
    digest: Digest.describe('A decision must carry it.'),
    edited_by: z.string().optional(),
    delegation: z
      .looseObject({ to: z.string(), by: z.string(), at: Time })
      .optional()
      .describe('Who was asked to decide it, by whom.'),
    state: z.enum(['pending', 'approved', 'denied', 'expired', 'used', 'replaced']),
    created_at: Time,
    expires_at: Time,
    decision: z
      .looseObject({
        verdict: z.enum(['approve', 'deny']),
        by: z.string(),
        credential: z.enum(['own', 'attested', 'link']),
        host: z.string().optional(),
        reason: z.string().optional(),
        at: Time,
        voided: z.looseObject({ reason: z.string(), replaced_by: z.string(), at: Time }).optional(),
      })
      .optional(),
    url: z.string().optional(),
  })
  .meta({ id: 'Approval' })

/** A question of a run. */
export const QuestionSchema = z
  .looseObject({
    id: z.string(),
    principal: z.string(),
    call_id: z.string(),
    tool: z.string(),
    path: z.string(),
    asks: z.string(),
    from: z.string(),
    schema: z.unknown().describe('The JSON Schema of the answer.'),
    draft: z.unknown().optional(),
    shown: z.string(),
    digest: Digest.describe('The answer of a person must carry it.'),
    state: z.enum(['open', 'answered', 'expired', 'closed']),
    created_at: Time,
    expires_at: Time,
    answer: z
      .looseObject({
        value: z.unknown().optional(),
        by: z.string(),
        credential: z.string(),
        host: z.string().optional(),
        at: Time,
      })
      .optional(),
    url: z.string().optional(),
  })
  .meta({ id: 'Question' })

/** What waits for a person: an approval request or a question. */
export const InboxItemSchema = z
  .discriminatedUnion('kind', [
    z.looseObject({
      kind: z.literal('approval'),
      approval: ApprovalSchema,
      may_decide: z.boolean().describe('Whether you may decide it. Others may only look at it.'),
    }),
    z.looseObject({ kind: z.literal('question'), question: QuestionSchema }),
  ])
  .meta({ id: 'InboxItem' })

/** A view that a pack brings to the console. */
export const ViewListItemSchema = z
  .looseObject({ pack: z.string(), name: z.string(), title: z.string(), summary: z.string() })
  .meta({ id: 'ViewListItem' })

const Tone = z.enum(['good', 'warn', 'bad'])
const ViewCell = z.union([
  z.string(),
  z.looseObject({
    text: z.string(),
    view: z.string().optional().describe('The name of a view of the same pack.'),
    fields: z.record(z.string(), z.string()).optional().describe('The fields of that view.'),
    question: z.string().optional().describe('The id of a question.'),
    tone: Tone.optional(),
  }),
])
const TimelineEntry = z.looseObject({
  at: z.string().describe('As it is shown: an ISO time, or words.'),
  title: z.string(),
  text: z.string().optional(),
  tone: Tone.optional(),
  side: z.enum(['left', 'right']).optional().describe('Of a conversation: right is our side.'),
})
const ViewPlace = z.looseObject({
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  note: z.string().optional(),
})
const titled = { title: z.string(), empty: z.string().describe('Shown where there is nothing.') }
const ViewBlockSchema = z
  .discriminatedUnion('kind', [
    z.looseObject({ kind: z.literal('text'), text: z.string(), tone: Tone.optional() }),
    z.looseObject({ kind: z.literal('values'), title: z.string(), value: z.unknown() }),
    z.looseObject({
      kind: z.literal('table'),
      ...titled,
      columns: z.array(z.string()),
      rows: z.array(z.array(ViewCell)),
    }),
    z.looseObject({ kind: z.literal('timeline'), ...titled, entries: z.array(TimelineEntry) }),
    z.looseObject({ kind: z.literal('map'), ...titled, places: z.array(ViewPlace) }),
    z.looseObject({ kind: z.literal('image'), source: z.string(), description: z.string() }),
  ])
  .meta({ id: 'ViewBlock' })

export const ViewSchema = ViewListItemSchema.extend({
  refresh: z.literal('live').nullable().describe('live: read it again every few seconds.'),
  fields: z.array(z.looseObject({ name: z.string(), label: z.string(), value: z.string() })),
  blocks: z.array(ViewBlockSchema).describe('What is shown, in this order.'),
}).meta({ id: 'View' })
