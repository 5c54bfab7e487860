import { MAX_LENGTH } from '../page/messages.ts'
import { isJson } from './read-report.ts'

/** A tool as the browser's own agent sees it. */
export type OfferedTool = {
  readonly name: string
  readonly description: string
  readonly inputSchema: unknown
  readonly annotations: { readonly readOnlyHint: boolean }
}

/** What the widget offers to the browser's agent, through the page. */
export type ToolOffer = {
  readonly list: () => Promise<readonly OfferedTool[]>
  /** The answer for the agent. `id` is the same for a repetition. */
  readonly call: (call: {
    readonly id: string
    readonly name: string
    readonly input: Readonly<Record<string, unknown>>
  }) => Promise<unknown>
  /** Tools that the page registered itself, each as the text that describes it. */
  readonly onPageTools: (tools: readonly string[]) => void
}

const MOST_TOOLS = 50
const MAX_TOOL = 16_000
const ID = /^[\w-]{1,64}$/
const NAME = /^[\w.-]{1,128}$/

/** Answers a message about tools; false where it is about something else. */
export function answerToolMessage(
  data: unknown,
  offer: ToolOffer,
  send: (message: object) => void,
): boolean {
  if (!isJson(data)) return false
  if (data.type === 'tools') {
    offer.list().then((tools) => send({ type: 'tools', tools }), ignore)
    return true
  }
  if (data.type === 'page-tools') {
    const tools = Array.isArray(data.tools) ? data.tools.slice(0, MOST_TOOLS) : []
    offer.onPageTools(tools.filter((one) => typeof one === 'string' && one.length <= MAX_TOOL))
    return true
  }
  if (data.type !== 'call') return false
  const { id, name, input = {} } = data
  const isCall =
    typeof id === 'string' &&
    ID.test(id) &&
    typeof name === 'string' &&
    NAME.test(name) &&
    isJson(input) &&
    JSON.stringify(input).length <= MAX_LENGTH
  if (isCall)
    offer.call({ id, name, input }).then((answer) => send({ type: 'answer', id, answer }), ignore)
  return true
}

// The agent of the browser gives up by itself; what was called is in the conversation.
const ignore = (): void => undefined
