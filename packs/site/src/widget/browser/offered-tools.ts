import type { OfferedTool, ToolOffer } from '@surehand/bridge/widget/page-tools'
import { send } from './api.ts'

type Described = {
  readonly name: string
  readonly wireName: string
  readonly description: string
  readonly schema: object
  readonly sideEffects: string
}
type Envelope = {
  readonly status: string
  readonly metadata: {
    readonly call_id: string
    readonly pending?: { readonly approval_id: string }
    /** It is approved and not done yet. */
    readonly job?: unknown
  }
}

const POLL_MS = 1_000
const LONGEST_WAIT_MS = 120_000

type Options = {
  /** Makes sure that there is a session, and that its events are read. */
  readonly open: () => Promise<void>
  /** Asks the visitor in the widget. */
  readonly showApproval: (id: string) => Promise<void>
  /** Of the page that embeds the widget. */
  readonly origin: () => Promise<string>
}

// They are the browser's already: offered back, they would be there twice.
const FROM_PAGES = 'page.'

/** The visitor's tools for the browser's own agent. Contracts and approvals are the server's. */
export function offerTools({ open, showApproval, origin }: Options): ToolOffer {
  const ids = new Map<string, string>()
  let reported = ''

  async function list(): Promise<readonly OfferedTool[]> {
    await open()
    const { tools } = await send<{ readonly tools: readonly Described[] }>('/site/tools')
    const own = tools.filter(({ name }) => !name.startsWith(FROM_PAGES))
    return own.map(({ name, wireName, description, schema, sideEffects }) => {
      ids.set(wireName, name)
      const readOnlyHint = sideEffects === 'none' || sideEffects === 'read-only-nav'
      return { name: wireName, description, inputSchema: schema, annotations: { readOnlyHint } }
    })
  }

  return {
    list,
    async call({ id, name, input }) {
      const tool = ids.get(name) ?? name
      const answer = await send<Envelope>('/site/calls', {
        body: { tool, input, key: `webmcp-${id}` },
      })
      const { pending, call_id: callId } = answer.metadata
      if (pending === undefined) return toText(answer)
      await showApproval(pending.approval_id)
      return toText(await awaitDecision(callId, answer))
    },
    onPageTools(tools) {
      const text = JSON.stringify(tools)
      if (tools.length === 0 || text === reported) return
      reported = text
      void report(tools).catch(() => undefined)
    },
  }

  async function report(tools: readonly string[]): Promise<void> {
    await open()
    await send('/site/page-tools', { body: { origin: await origin(), tools } })
  }
}

/** The answer after the visitor has decided; the newest one if that takes too long. */
async function awaitDecision(callId: string, asked: Envelope): Promise<Envelope> {
  let answer = asked
  for (let waited = 0; isOpen(answer) && waited < LONGEST_WAIT_MS; waited += POLL_MS) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    answer = await send<Envelope>(`/site/calls/${encodeURIComponent(callId)}`)
  }
  return answer
}

const isOpen = ({ metadata: { pending, job } }: Envelope): boolean =>
  pending !== undefined || job !== undefined

const toText = (answer: Envelope): unknown => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }],
  isError: answer.status !== 'success',
})
