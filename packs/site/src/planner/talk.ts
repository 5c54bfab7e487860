import type { Envelope } from '@surehand/core'
import type { PackServices } from '@surehand/core/host'
import { z } from 'zod'
import { type ConnectedSite, SiteContract } from '../contract/site-contract.ts'
import { callAsVisitor } from '../session/call-as-visitor.ts'
import type { SessionEvent } from '../session/session-channel.ts'
import { readSite } from '../session/site-data.ts'
import type { Visitor } from '../session/visitor.ts'
import type { Language } from './intent.ts'
import { PHRASES, type Phrases } from './phrases.ts'

/** What the planner remembers of a conversation. */
export const TalkState = z.object({
  language: z.enum(['en', 'de']).default('en'),
  results: z
    .array(z.object({ title: z.string(), url: z.string(), productId: z.string().optional() }))
    .default([]),
  cartId: z.string().optional(),
  cartLineId: z.string().optional(),
  bookingId: z.string().optional(),
  /** An order that the visitor has to pay on the page of the shop. */
  unpaid: z.object({ cartId: z.string(), orderId: z.string() }).optional(),
  /** The last sentences, where a model answers. */
  said: z.array(z.object({ by: z.enum(['user', 'assistant']), text: z.string() })).default([]),
  /** A booking that lacks its day. */
  booking: z.object({ what: z.string() }).optional(),
})
export type TalkState = z.output<typeof TalkState>

type TurnEvent = Extract<SessionEvent, { kind: 'turn' }>

export type Say = (event: Omit<TurnEvent, 'kind' | 'turn'>) => Promise<void>

/** One turn of a conversation: what the steps of the planner work with. */
export type Talk = {
  readonly visitor: Visitor
  readonly turn: string
  readonly site: ConnectedSite
  readonly language: Language
  readonly phrases: Phrases
  readonly state: TalkState
  readonly signal: AbortSignal
  readonly services: PackServices
  readonly now: () => number
  /** Something short at once, while the tool works. */
  readonly delta: (text: string) => Promise<void>
  readonly call: (tool: string, input: Readonly<Record<string, unknown>>) => Promise<Envelope>
  readonly publish: (event: SessionEvent) => Promise<void>
}

/** What a step of a turn leaves: what is said, links, what is remembered, and whether to go on. */
export type StepResult = {
  readonly text: string
  readonly options?: readonly { readonly title: string; readonly url: string }[]
  readonly state?: Partial<TalkState>
  /** The rest of the sentence makes no sense after this. */
  readonly stop?: true
}

export type TalkForm = {
  readonly services: PackServices
  readonly visitor: Visitor
  readonly turn: string
  readonly language: Language
  readonly state: TalkState
  readonly signal: AbortSignal
  readonly publish: (event: SessionEvent) => Promise<void>
}

export async function openTalk(form: TalkForm): Promise<Talk> {
  const { services, visitor, turn, language, signal, publish } = form
  const site = await readSite(services.query, visitor.tenant)
  let step = 0
  const say: Say = (event) => publish({ kind: 'turn', turn, ...event })
  return {
    ...form,
    site: site ?? { contract: EMPTY, isStopped: false },
    phrases: PHRASES[language],
    now: services.now,
    delta: (text) => say({ type: 'agent_delta', text }),
    async call(tool, input) {
      signal.throwIfAborted()
      // The same turn repeats the same steps: a message that arrives twice does nothing twice.
      const key = `${turn} ${++step}`
      await say({ type: 'agent_tool', text: '', tool, state: 'started' })
      const answer = await callAsVisitor(services, visitor, { tool, input, key, signal, turn })
      const state =
        answer.status === 'success'
          ? 'done'
          : answer.metadata.pending === undefined
            ? 'failed'
            : 'pending'
      await say({ type: 'agent_tool', text: '', tool, callId: answer.metadata.call_id, state })
      return answer
    },
  }
}

const EMPTY = SiteContract.parse({ version: 1, name: 'site', origins: ['https://invalid.example'] })

/** The path of a page of the site, for navigation.goto. */
export function pathOf(url: string): string {
  const { pathname, search, hash } = new URL(url)
  return `${pathname}${search}${hash}`
}

/** A failure in the visitor's words. */
export function explainFailure({ phrases }: Pick<Talk, 'phrases'>, answer: Envelope): StepResult {
  return { text: phrases.failed(answer.error?.message ?? '…'), stop: true }
}
