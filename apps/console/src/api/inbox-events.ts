import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { getStream } from './client.ts'
import { inboxQuery } from './queries.ts'

const RETRY_MS = [1_000, 2_000, 5_000, 15_000, 30_000]

/**
 * Reads the inbox again whenever the server says that it has changed. True while the server can say
 * so: otherwise the page asks by itself, less often. Only a tab in view holds a connection, because
 * browsers allow few of them to one server.
 */
export function useInboxEvents(): boolean {
  const client = useQueryClient()
  const [isLive, setLive] = useState(false)
  useEffect(() => {
    const { queryKey } = inboxQuery
    const read = () => client.refetchQueries({ queryKey }, { cancelRefetch: false })
    const refresh = createRefresh(async () => {
      // This only waits for a reading that is under way, which may have begun before the change.
      if (client.isFetching({ queryKey }) > 0) await read()
      await read()
    })
    let stream: AbortController | undefined
    const update = (): void => {
      if (document.visibilityState === 'hidden') {
        stream?.abort()
        stream = undefined
      } else if (stream === undefined) {
        stream = new AbortController()
        void followEvents({ signal: stream.signal, onChange: refresh, onState: setLive })
      }
    }
    document.addEventListener('visibilitychange', update)
    update()
    return () => {
      document.removeEventListener('visibilitychange', update)
      stream?.abort()
    }
  }, [client])
  return isLive
}

/** One reading at a time, and one more where something changed meanwhile. */
function createRefresh(read: () => Promise<unknown>): () => void {
  let state: 'idle' | 'reading' | 'again' = 'idle'
  const refresh = async (): Promise<void> => {
    if (state !== 'idle') {
      state = 'again'
      return
    }
    state = 'reading'
    await read().catch(() => undefined)
    const isAgain = state !== 'reading'
    state = 'idle'
    if (isAgain) await refresh()
  }
  return () => void refresh()
}

type Following = {
  readonly signal: AbortSignal
  readonly onChange: () => void
  readonly onState: (isLive: boolean) => void
}

async function followEvents({ signal, onChange, onState }: Following): Promise<void> {
  for (let tries = 0; !signal.aborted; tries++) {
    try {
      const stream = await getStream('v1/inbox/events', signal)
      await readEvents(stream, () => {
        tries = 0
        onState(true)
        onChange()
      })
    } catch {
      // The list itself says what is wrong.
    }
    if (signal.aborted) return
    onState(false)
    await pause(RETRY_MS[Math.min(tries, RETRY_MS.length - 1)] ?? 0, signal)
  }
}

async function readEvents(stream: ReadableStream<Uint8Array>, onChange: () => void): Promise<void> {
  const reader = stream
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const events = (text + value).split('\n\n')
    text = events.pop() ?? ''
    if (events.some((event) => event.startsWith('event: changed'))) onChange()
  }
}

function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
