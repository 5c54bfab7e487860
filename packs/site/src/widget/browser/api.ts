import { change, state } from './storage.ts'

/** What an approval shows. */
export type ApprovalView = {
  readonly id: string
  readonly tool: string
  readonly asks: string
  readonly digest: string
  readonly state: string
  readonly facts?: Readonly<Record<string, unknown>> | null
  readonly changed?: unknown
}

export class ApiError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The answer was lost: the server may have done it. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 0

// Long enough for a server that is started again.
const WAITS_MS = [300, 600, 1_200, 2_500, 5_000, 10_000]
const OFFLINE_MS = 60_000

type Sending = {
  readonly method?: string
  readonly body?: unknown
  /** Goes on when the page is left: reports of a page that is leaving. */
  readonly keepalive?: boolean
}

/**
 * Sends a request of the visitor. Every request may be repeated: the server knows its ids. An error
 * with status 0 says that there was no answer, and nothing about what the server did.
 */
export async function send<T>(path: string, sending: Sending = {}, waits = WAITS_MS): Promise<T> {
  const { method = sending.body === undefined ? 'GET' : 'POST', body, keepalive = false } = sending
  const { token } = state()
  const response = await fetch(path, {
    method,
    keepalive,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => undefined)
  if (response === undefined || response.status >= 502) {
    const [wait, ...rest] = waits
    if (wait === undefined) throw new ApiError(0, '')
    await passTime(wait)
    return send(path, sending, rest)
  }
  const answer = (await response.json().catch(() => ({}))) as T & {
    readonly error?: { readonly message?: string }
  }
  if (response.ok) return answer
  throw new ApiError(response.status, answer.error?.message ?? '')
}

/** Waits; without a network, until there is one again. */
async function passTime(ms: number): Promise<void> {
  await new Promise((resolve) => {
    if (!navigator.onLine) addEventListener('online', resolve, { once: true })
    setTimeout(resolve, navigator.onLine ? ms : OFFLINE_MS)
  })
}

/** Opens a session for the page that embeds the widget, unless there is one. */
export async function openSession(key: string, origin: string): Promise<void> {
  if (state().token !== null) return
  const { token } = await send<{ readonly token: string }>('/site/sessions', {
    body: {
      key,
      origin,
      locale: navigator.language,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
  })
  change({ token, cursor: '', handled: [] })
}
