import { type Outcome, toEnvelope } from '@surehand/core'
import type { Progress } from '@surehand/core/host'
import { leavingApp } from './leaving.ts'
import type { Surface } from './options.ts'
import { plainOutcome, SAFE_HEADERS } from './reply.ts'
import { tellable } from './tellable.ts'
import type { WireContext } from './wire.ts'

// shorter than what proxies take for a dead connection
const KEEP_ALIVE_MS = 15_000
const HEADERS = { ...SAFE_HEADERS, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }

export type EventSource = {
  /** What an envelope calls it when it breaks. */
  readonly command: string
  /** Comes to the outcome; hears by its signal that nobody listens any more. */
  readonly work: (onProgress: (progress: Progress) => void, signal: AbortSignal) => Promise<Outcome>
  /** Asked now and then; false ends the stream. */
  readonly isWelcome?: () => Promise<boolean>
}

/** Progress as server-sent events, the envelope last. */
export function eventStream(
  context: WireContext,
  { command, work, isWelcome }: EventSource,
  surface: Surface,
): Response {
  const over = new AbortController()
  const signal = AbortSignal.any([leavingApp(context), over.signal])
  const encoder = new TextEncoder()
  // a tool may still report when its answer has been given
  let isOpen = true

  async function tell(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const write = (text: string): void => {
      if (isOpen && !signal.aborted) controller.enqueue(encoder.encode(text))
    }
    const send = (event: string, data: unknown): void =>
      write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    const stop = everySoOften(surface, async () => {
      if ((await isWelcome?.()) === false) over.abort()
      write(': still here\n\n')
    })
    const outcome = await work((progress) => send('progress', progress), signal).catch(broken)
    stop()
    send('envelope', toEnvelope(outcome, surface))
    if (isOpen) controller.close()
    isOpen = false
  }

  function broken(thrown: unknown): Outcome {
    const visit = context.get('visit')
    return plainOutcome(command, { error: tellable(thrown, visit, surface) }, visit, surface)
  }

  const body = new ReadableStream<Uint8Array>({
    start: tell,
    cancel(reason) {
      isOpen = false
      over.abort(reason)
    },
  })
  return new Response(body, { headers: HEADERS })
}

function everySoOften({ clock, onTrouble }: Surface, work: () => Promise<void>): () => void {
  let isOver = false
  let cancel = schedule()

  function schedule(): () => void {
    return clock.after(KEEP_ALIVE_MS, () => void look())
  }

  async function look(): Promise<void> {
    await work().catch((thrown: unknown) => onTrouble(thrown, 'event stream'))
    if (!isOver) cancel = schedule()
  }

  return () => {
    isOver = true
    cancel()
  }
}
