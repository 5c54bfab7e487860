import { z } from 'zod'
import { PageOrder, type PageReport } from '../bridge-messages.ts'

/** What the server tells the widget, as server-sent events; `event` is the member `kind`. */
export const SessionEvent = z.discriminatedUnion('kind', [
  /** A command for the page. */
  z.object({ kind: z.literal('execute'), order: PageOrder }),
  /** A turn of the conversation, in the words of the specification. */
  z.object({
    kind: z.literal('turn'),
    turn: z.string(),
    type: z.enum(['agent_delta', 'agent_tool', 'agent_final', 'error']),
    text: z.string().max(4_000),
    /** Of `agent_tool`: the tool, its call, and how far it is. */
    tool: z.string().optional(),
    callId: z.string().optional(),
    state: z.enum(['started', 'done', 'failed', 'pending', 'cancelled']).optional(),
    /** Things to click, such as search results and follow-ups. */
    options: z.array(z.object({ title: z.string(), url: z.string() })).optional(),
  }),
  /** The visitor has to approve something; the widget reads it with GET /site/approvals/:id. */
  z.object({ kind: z.literal('approval'), approvalId: z.string(), turn: z.string().optional() }),
  /** An approved call has ended. */
  z.object({
    kind: z.literal('answer'),
    callId: z.string(),
    tool: z.string(),
    status: z.enum(['done', 'failed', 'pending']),
    text: z.string(),
  }),
  z.object({ kind: z.literal('ended'), reason: z.enum(['expired', 'stopped', 'replaced']) }),
])
export type SessionEvent = z.output<typeof SessionEvent>

/** One tab of a visitor, by the id that the widget made up for it. */
export type Tab = { readonly tenant: string; readonly session: string; readonly tab: string }

/**
 * The connection of the server to the widgets of visitors, over any number of nodes. Events are
 * kept for some minutes: a tab that reconnects with the id of the last event misses nothing.
 */
export type SessionChannel = {
  readonly publish: (
    at: { readonly tenant: string; readonly session: string },
    event: SessionEvent,
  ) => Promise<void>
  /** Ends when the signal aborts or the session ends. */
  readonly subscribe: (
    tab: Tab,
    options: { readonly after: string | undefined; readonly signal: AbortSignal },
  ) => AsyncIterable<{ readonly id: string; readonly event: SessionEvent }>
  /** Takes a report of the page: the result of a command, or where the visitor is. */
  readonly receive: (tab: Tab, report: PageReport) => Promise<void>
}
