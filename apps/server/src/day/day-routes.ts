import { readFileSync } from 'node:fs'
import type { Caller, Outcome } from '@surehand/core'
import type { CustomRoute, ReceivedRequest } from '@surehand/http'
import type { App } from '../app.ts'
import { calendarRoutes } from './calendar-page.ts'
import { dayPage, type Said } from './day-page.ts'
import { readDay } from './read-day.ts'

export type DayContext = {
  readonly app: App
  readonly publicUrl: string
  readonly now: () => number
}

// A photo of 16 MiB and the rest of its form.
const MOST_BYTES = 17 * 1024 * 1024

/** The pages of a person's own day and calendar, where a pack has something to show on them. */
export function dayRoutes(context: DayContext): readonly CustomRoute[] {
  const { packs } = context.app.config
  if (!packs.some(({ name }) => name === 'personal' || name === 'events')) return []
  return [
    {
      method: 'GET',
      path: '/day',
      auth: 'person',
      handle: async ({ caller }) => showDay(context, caller as Caller),
    },
    {
      method: 'POST',
      path: '/day',
      auth: 'person',
      maxBytes: MOST_BYTES,
      handle: (received) => submitForm(context, received),
    },
    ...calendarRoutes(context),
    asset('/day.js', 'day.js', 'text/javascript; charset=utf-8'),
    asset('/day-worker.js', 'day-worker.js', 'text/javascript; charset=utf-8'),
    asset('/day-icon.png', 'day-icon.png', 'image/png'),
    {
      method: 'GET',
      path: '/day.webmanifest',
      auth: 'none',
      handle: async () =>
        new Response(JSON.stringify(MANIFEST), {
          headers: { 'content-type': 'application/manifest+json', 'cache-control': 'no-cache' },
        }),
    },
  ]
}

const MANIFEST = {
  id: '/day',
  name: 'My day (Surehand)',
  short_name: 'My day',
  start_url: '/day',
  scope: '/',
  display: 'standalone',
  background_color: '#f4f3ef',
  theme_color: '#0b5d2a',
  icons: [
    { src: '/day-icon.png', sizes: '512x512', type: 'image/png' },
    { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
  ],
}

function asset(path: string, file: string, mediaType: string): CustomRoute {
  return {
    method: 'GET',
    path,
    auth: 'none',
    handle: async () =>
      // A worker that changed is fetched again; browsers compare it byte by byte. Its requests are
      // judged by the policy of its own file.
      new Response(new Uint8Array(readFileSync(new URL(`./browser/${file}`, import.meta.url))), {
        headers: {
          'content-type': mediaType,
          'cache-control': 'no-cache',
          'content-security-policy': "default-src 'none'; connect-src 'self'",
        },
      }),
  }
}

async function showDay({ app, now }: DayContext, caller: Caller, said?: Said): Promise<Response> {
  return dayPage(await readDay(app, caller, now()), {
    now: now(),
    ...(said === undefined ? {} : { said }),
  })
}

type Order = { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }

async function submitForm(
  context: DayContext,
  { request, caller }: ReceivedRequest,
): Promise<Response> {
  const isForScript = request.headers.get('accept') === 'application/json'
  const said = await callForForm(context, request, caller as Caller)
  if (isForScript) return Response.json(said, { status: said.isDone ? 200 : 409 })
  return showDay(context, caller as Caller, said)
}

async function callForForm(
  { app, publicUrl }: DayContext,
  request: Request,
  caller: Caller,
): Promise<Said> {
  if (request.headers.get('origin') !== new URL(publicUrl).origin)
    return refuse('This form was not sent from a page of this server, and nothing was done.')
  const form = await request.formData().catch(() => undefined)
  const order = form === undefined ? undefined : await readOrder(form)
  if (form === undefined || order === undefined)
    return refuse('The form could not be read, and nothing was done. Load the page again.')
  const outcome = await app.runtime.call({
    ...order,
    caller,
    surface: 'page',
    idempotencyKey: `day:${String(form.get('key') ?? '').slice(0, 100)}`,
  })
  return describe(outcome)
}

function refuse(message: string): Said {
  return { message, isDone: false }
}

async function readOrder(form: FormData): Promise<Order | undefined> {
  const text = String(form.get('text') ?? '').trim()
  const id = String(form.get('id') ?? '')
  switch (form.get('do')) {
    case 'capture':
      return form.get('as') === 'event'
        ? { tool: 'events.capture', input: { text } }
        : { tool: 'task.capture', input: { text } }
    case 'photo': {
      const photo = form.get('photo')
      if (photo === null || typeof photo === 'string') return undefined
      const imageBytes = Buffer.from(await photo.arrayBuffer()).toString('base64')
      return { tool: 'events.capture', input: { imageBytes } }
    }
    case 'done':
      return { tool: 'task.complete', input: { task: id } }
    case 'habit':
      return { tool: 'habit.record_completion', input: { habit_name: id } }
    case 'start':
      return { tool: 'time.deep_work_start', input: { subject: text } }
    case 'stop':
      return { tool: 'time.deep_work_stop', input: {} }
    default:
      return undefined
  }
}

function describe(outcome: Outcome): Said {
  switch (outcome.status) {
    case 'done': {
      const { message } = outcome.data as { readonly message?: unknown }
      return { message: typeof message === 'string' ? message : 'Done.', isDone: true }
    }
    case 'asking': {
      const [asks = ''] = outcome.question.asks.split('\n')
      return { message: asks, href: `/questions/${outcome.question.id}`, isDone: true }
    }
    case 'pending':
      return {
        message: 'This waits for an approval.',
        href: `/approvals/${outcome.approval.id}`,
        isDone: true,
      }
    case 'accepted':
      return { message: 'This is being done.', isDone: true }
    case 'failed':
      return refuse(outcome.error.message)
  }
}
