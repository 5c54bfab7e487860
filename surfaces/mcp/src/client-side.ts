import { AsyncLocalStorage } from 'node:async_hooks'
import type { ClientCapabilities, InputRequest, LoggingLevel } from '@modelcontextprotocol/server'
import { definePort, ToolError } from '@surehand/core'
import type { ToolsCall } from './request.ts'

export type Question = {
  readonly callId: string
  readonly key: string
  readonly request: InputRequest
}
export type Asks = {
  readonly callId: string
  readonly questions: Readonly<Record<string, InputRequest>>
}

/** What a tool may want of the MCP client in the middle of its work. */
export type ClientPort = {
  /** The client's answers by the questions' names. A client that has not answered is asked, and the tool runs again with the answers. */
  readonly ask: (asks: Asks, signal: AbortSignal) => Promise<Readonly<Record<string, unknown>>>
  readonly log: (
    line: { readonly level: LoggingLevel; readonly data: unknown },
    signal: AbortSignal,
  ) => Promise<void>
  readonly capabilities: (
    nothing: Readonly<Record<never, never>>,
    signal: AbortSignal,
  ) => Promise<ClientCapabilities>
}

export const clientPort = definePort<ClientPort>('mcpClient', {
  ask: 'read',
  log: 'read',
  capabilities: 'read',
})

/** What a call asked of its client before it ended. */
export type Exchange = {
  readonly call: ToolsCall
  readonly answers: Readonly<Record<string, unknown>>
  readonly asked: Map<string, InputRequest>
  isOpen: boolean
}

export type ClientSide = {
  /** For createRuntime: `providers: { mcpClient: clientSide.provider }`. */
  readonly provider: ClientPort
  readonly runExchange: <T>(exchange: Exchange, run: () => Promise<T>) => Promise<T>
  /** What a job of this process waits for. */
  readonly openQuestions: (callId: string) => Readonly<Record<string, InputRequest>>
  readonly answer: (callId: string, answers: Readonly<Record<string, unknown>>) => void
}

type Parked = {
  readonly questions: Map<string, InputRequest>
  readonly answers: Map<string, unknown>
  readonly wake: () => void
}

/** Lets tools ask the client that called them; a job's questions wait in this process until the client looks at its task. */
export function createClientSide(): ClientSide {
  const exchanges = new AsyncLocalStorage<Exchange>()
  const parked = new Map<string, Parked>()

  // a job runs on after its request was answered: nobody listens there any more
  function live(): Exchange | undefined {
    const exchange = exchanges.getStore()
    return exchange?.isOpen ? exchange : undefined
  }

  return {
    runExchange: (exchange, run) => exchanges.run(exchange, run),
    openQuestions: (callId) => Object.fromEntries(parked.get(callId)?.questions ?? []),
    answer(callId, answers) {
      const waiting = parked.get(callId)
      if (waiting === undefined) return
      for (const [key, answer] of Object.entries(answers))
        if (waiting.questions.delete(key)) waiting.answers.set(key, answer)
      if (waiting.questions.size === 0) waiting.wake()
    },
    provider: {
      ask: (asks, signal) => {
        const exchange = live()
        return exchange === undefined ? park(asks, parked, signal) : askNow(asks, exchange)
      },
      async log({ level, data }) {
        const call = live()?.call
        if (call?.logLevel !== undefined && severity(level) >= severity(call.logLevel))
          call.notify('notifications/message', { level, data })
      },
      capabilities: async () => live()?.call.capabilities ?? {},
    },
  }
}

async function askNow(
  { questions }: Asks,
  { answers, asked }: Exchange,
): Promise<Readonly<Record<string, unknown>>> {
  for (const [key, request] of Object.entries(questions))
    if (!(key in answers)) asked.set(key, request)
  if (asked.size === 0) return answers
  throw new ToolError(
    'TOOL_GATE_CLOSED',
    'More is needed from the person or the model on the other side.',
    { effect: 'none' },
  )
}

async function park(
  { callId, questions }: Asks,
  parked: Map<string, Parked>,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const waiting: Parked = {
    questions: new Map(Object.entries(questions)),
    answers: new Map(),
    wake: resolve,
  }
  const leave = (): void =>
    reject(new ToolError('TOOL_CANCELLED', 'Nobody answered in time.', { effect: 'none' }))
  parked.set(callId, waiting)
  signal.addEventListener('abort', leave, { once: true })
  try {
    await promise
    return Object.fromEntries(waiting.answers)
  } finally {
    signal.removeEventListener('abort', leave)
    parked.delete(callId)
  }
}

const LEVELS: readonly LoggingLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]

function severity(level: LoggingLevel): number {
  return LEVELS.indexOf(level)
}
