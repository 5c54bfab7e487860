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

/** What a running tool may ask of the MCP client. */
export type ClientPort = {
  /**
   * The client's answers by the names of the questions. While answers are missing the client is
   * asked, and the tool runs again with them.
   */
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

/** The questions of a call to its client, and the answers so far. */
export type Exchange = {
  readonly call: ToolsCall
  readonly answers: Readonly<Record<string, unknown>>
  readonly asked: Map<string, InputRequest>
  isOpen: boolean
}

export type ClientSide = {
  /** For `createRuntime`: `providers: { mcpClient: clientSide.provider }`. */
  readonly provider: ClientPort
  readonly runExchange: <T>(exchange: Exchange, run: () => Promise<T>) => Promise<T>
  /** The questions that a job of this process waits for. */
  readonly openQuestions: (callId: string) => Readonly<Record<string, InputRequest>>
  readonly answer: (callId: string, answers: Readonly<Record<string, unknown>>) => void
}

type ParkedJob = {
  readonly questions: Map<string, InputRequest>
  readonly answers: Map<string, unknown>
  readonly wake: () => void
}

/**
 * Lets tools ask the client that called them. The questions of a job wait in this process until the
 * client gets its task.
 */
export function createClientSide(): ClientSide {
  const exchanges = new AsyncLocalStorage<Exchange>()
  const parked = new Map<string, ParkedJob>()

  // A job continues after its request was answered; that exchange is closed by then.
  function openExchange(): Exchange | undefined {
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
        const exchange = openExchange()
        return exchange === undefined ? park(asks, parked, signal) : askNow(asks, exchange)
      },
      async log({ level, data }) {
        const call = openExchange()?.call
        if (call?.logLevel !== undefined && severity(level) >= severity(call.logLevel))
          call.notify('notifications/message', { level, data })
      },
      capabilities: async () => openExchange()?.call.capabilities ?? {},
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
    'The client must first answer the questions of this tool.',
    { effect: 'none' },
  )
}

async function park(
  { callId, questions }: Asks,
  parked: Map<string, ParkedJob>,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const waiting: ParkedJob = {
    questions: new Map(Object.entries(questions)),
    answers: new Map(),
    wake: resolve,
  }
  const onAbort = (): void =>
    reject(
      new ToolError('TOOL_CANCELLED', 'The client did not answer in time.', { effect: 'none' }),
    )
  parked.set(callId, waiting)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await promise
    return Object.fromEntries(waiting.answers)
  } finally {
    signal.removeEventListener('abort', onAbort)
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
