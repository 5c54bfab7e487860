import { ToolError } from '@surehand/core'
import type { PackRoute } from '@surehand/core/host'
import { z } from 'zod'
import { runTurn } from '../planner/run-turn.ts'
import { sessionHub } from './session-hub.ts'
import { json, visitorRoute } from './visitor-route.ts'

const TurnBody = z.object({
  /** Made by the widget, the same for a repetition of the message. */
  turn: z.string().regex(/^[A-Za-z0-9_-]{8,64}$/),
  text: z.string().trim().min(1).max(1_000),
  spoken: z.boolean().optional(),
})

type Running = { readonly controller: AbortController; readonly done: Promise<void> }

/** Turns that this process works on, by session and turn. */
export type RunningTurns = Map<string, Running>

/** Sentences of visitors. The answers come over the stream. */
export function turnRoutes(running: RunningTurns = new Map()): readonly PackRoute[] {
  const start = visitorRoute({
    method: 'POST',
    path: '/site/turns',
    body: TurnBody,
    async handle({ visitor, body: { turn, text }, services }) {
      await countTurn(services, visitor.tenant, visitor.session)
      const name = `${visitor.session}/${turn}`
      // The widget repeats a sentence whose answer was lost; it may have been answered since.
      const { values } = services
      const isEnded = (await values.get(visitor.tenant, endedKey(name))) !== undefined
      if (running.has(name) || isEnded) return json({ turn }, 202)
      const controller = new AbortController()
      const hub = sessionHub(services)
      const publish = (event: Parameters<typeof hub.publish>[1]) => hub.publish(visitor, event)
      const { signal } = controller
      const done = runTurn({ services, visitor, turn, text, signal, publish })
        .catch(() =>
          publish({ kind: 'turn', turn, type: 'error', text: 'Something went wrong. Try again.' }),
        )
        .then(() => values.set(visitor.tenant, endedKey(name), '1', ENDED_KEPT_MS))
        .catch(() => undefined)
        .finally(() => running.delete(name))
      running.set(name, { controller, done })
      return json({ turn }, 202)
    },
  })
  const cancel = visitorRoute({
    method: 'DELETE',
    path: '/site/turns/:turn',
    async handle({ visitor, params, services }) {
      const name = `${visitor.session}/${params.turn}`
      // What has begun ends as it must; what has not is not begun, also if it arrives later.
      await services.values.set(visitor.tenant, endedKey(name), '1', ENDED_KEPT_MS)
      const found = running.get(name)
      found?.controller.abort()
      return json({ cancelled: found !== undefined })
    },
  })
  return [start, cancel]
}

const ENDED_KEPT_MS = 15 * 60_000
const endedKey = (name: string): string => `site/turn/${name}`
const MOST_TURNS = 30
const WINDOW_MS = 60_000

type Counting = Parameters<Parameters<typeof visitorRoute>[0]['handle']>[0]['services']

// A limit for one session; tools have limits of their own, over all nodes.
async function countTurn(
  { values, now }: Pick<Counting, 'values' | 'now'>,
  tenant: string,
  session: string,
): Promise<void> {
  const key = `site/turns/${session}/${Math.floor(now() / WINDOW_MS)}`
  for (;;) {
    const expected = await values.get(tenant, key)
    const count = Number(expected ?? 0)
    if (count >= MOST_TURNS)
      throw new ToolError(
        'TOOL_RATE_LIMIT_EXCEEDED',
        `One visitor may send ${MOST_TURNS} sentences a minute. Wait a moment.`,
        { details: { retry_after_ms: WINDOW_MS } },
      )
    const change = { expected, value: String(count + 1), ttlMs: 2 * WINDOW_MS }
    if (await values.replace(tenant, key, change)) return
  }
}
