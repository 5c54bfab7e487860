import { definePort, defineTool, sameKey } from '@surehand/core'
import { z } from 'zod'
import { operatorOnly } from '../write-request.ts'

export type TranscriptTurn = { at: string; said: string; answered: string }

/** What is stored about one visitor. */
export type VisitorRecords = {
  /** The sentences of a visit, oldest first; none where the contract stores no transcripts. */
  readonly transcript: (
    request: { readonly tenant: string; readonly session: string },
    signal: AbortSignal,
  ) => Promise<TranscriptTurn[]>
  /** Deletes what the visitor said and who they are; counts of the report stay. */
  readonly erase: (
    request: {
      readonly tenant: string
      readonly session: string
      readonly idempotencyKey: string
    },
    signal: AbortSignal,
  ) => Promise<{ readonly sentences: number; readonly rows: number }>
}

export const visitorRecords = definePort<VisitorRecords>('visitorRecords', {
  transcript: 'read',
  erase: sameKey({ validFor: '30d' }),
})

const SessionId = z.string().regex(/^ses_[A-Za-z0-9_-]{1,64}$/, {
  error: 'Use the id of a session as site.report gives it.',
})

export const readTranscript = defineTool({
  id: 'site.transcript',
  title: 'Transcript of a visit',
  category: 'site',
  description:
    'What a visitor said and what they were answered, where the contract of the site stores transcripts (`transcripts`: off, session or 30d).',
  input: z.object({ sessionId: SessionId }),
  output: z.object({
    turns: z.array(z.object({ at: z.string(), said: z.string(), answered: z.string() })),
  }),
  contract: { ...operatorOnly, effect: 'none', auth: 'session', timeout: '5s' },
  ports: { records: visitorRecords },
  examples: [{ name: 'a visit', input: { sessionId: 'ses_0123456789abcdef' } }],
  execute: async ({ input: { sessionId }, caller: { tenant }, ports, signal }) => ({
    turns: await ports.records.transcript({ tenant, session: sessionId }, signal),
  }),
})

export const eraseVisitor = defineTool({
  id: 'site.erase_visitor',
  title: 'Erase what is stored about a visitor',
  category: 'site',
  description:
    'Deletes the transcript of a visit, the name and address of its bookings, and the words of its questions. Orders, bookings and the counts of the report stay.',
  input: z.object({ sessionId: SessionId }),
  output: z.object({ sentences: z.int(), rows: z.int() }),
  contract: {
    ...operatorOnly,
    effect: 'writes.site',
    reversible: false,
    idempotency: 'caller',
    timeout: '10s',
  },
  ports: { records: visitorRecords },
  examples: [{ name: 'a visit', input: { sessionId: 'ses_0123456789abcdef' } }],
  execute: async ({ input: { sessionId }, caller: { tenant }, ports, idempotencyKey, signal }) =>
    ports.records.erase({ tenant, session: sessionId, idempotencyKey }, signal),
})
