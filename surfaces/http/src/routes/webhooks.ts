import { ToolError } from '@surehand/core'
import { type DeliveryPlace, toPage, type WebhookDelivery } from '@surehand/core/ports'
import { WebhookDeliverySchema, WebhookSchema } from '@surehand/edge/api'
import { z } from 'zod'
import type { Surface } from '../options.ts'
import { PageQuery, pageReturned, pageView, readPage } from '../paging.ts'
import { expectedVersion, invalid, parseBody, parseQuery } from '../parse-request.ts'
import type { Documented, Route } from '../route.ts'
import { type HttpWebhooks, viewDelivery, webhookSettings } from '../webhooks-api.ts'

const webhook = {
  schema: () => WebhookSchema,
  example: {
    id: 'ops',
    version: 1,
    url: 'https://hooks.example/surehand',
    is_enabled: true,
    problem: null,
  },
} satisfies Documented

const delivery: Documented = {
  schema: () => WebhookDeliverySchema,
  example: {
    id: 'call_01jd3k8m2nq4r5s6t7v8w9x0yz',
    tool: 'mail.bulk',
    call_state: 'succeeded',
    ended_at: '2026-11-16T09:40:00.000Z',
    status: 'waiting',
    tries: 2,
    next_attempt_at: '2026-11-16T09:42:30.000Z',
    last_result: { at: '2026-11-16T09:40:30.000Z', status: 503, trouble: null },
  },
}

/** Where the ends of calls are posted. The server checks who may administer them. */
export const webhookRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/webhooks',
    command: 'webhooks.list',
    summary: 'Lists the webhooks of the tenant, without their secrets.',
    query: PageQuery,
    returns: pageReturned(webhook),
    async handle(context, caller, surface) {
      const { limit, after } = readPage('webhooks.list', parseQuery(context, PageQuery))
      const found = await requireWebhooks(surface).list(caller, { limit: limit + 1, after })
      return pageView(
        'webhooks.list',
        toPage(found, limit, ({ id }) => id),
      )
    },
  },
  {
    method: 'PUT',
    path: '/v1/webhooks/:id',
    command: 'webhooks.put',
    summary:
      'Creates or changes a webhook. A new secret is shown only in this response. If-Match carries the version that you have read.',
    headers: ['If-Match'],
    body: { schema: webhookSettings, example: { url: webhook.example.url, is_enabled: true } },
    returns: {
      schema: () =>
        WebhookSchema.extend({
          secret: z.string().exactOptional().describe('Signs the messages. Only where it is new.'),
        }).meta({ id: 'ChangedWebhook' }),
      example: { ...webhook.example, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
    },
    async handle(context, caller, surface) {
      const settings = await parseBody(context, surface, webhookSettings())
      const id = context.req.param('id') ?? ''
      return requireWebhooks(surface).put(caller, { ...settings, id }, expectedVersion(context))
    },
  },
  {
    method: 'DELETE',
    path: '/v1/webhooks/:id',
    command: 'webhooks.remove',
    summary: 'Removes a webhook. What waits to be delivered is not sent any more.',
    headers: ['If-Match'],
    returns: {
      schema: () => z.object({ id: z.string(), removed: z.literal(true) }),
      example: { id: 'ops', removed: true },
    },
    async handle(context, caller, surface) {
      const id = context.req.param('id') ?? ''
      await requireWebhooks(surface).remove(caller, id, expectedVersion(context))
      return { id, removed: true }
    },
  },
  {
    method: 'GET',
    path: '/v1/webhooks/:id/deliveries',
    command: 'webhooks.deliveries',
    summary: 'Lists the deliveries of a webhook, made and waiting, the newest first.',
    query: PageQuery,
    returns: pageReturned(delivery),
    async handle(context, caller, surface) {
      const { limit, after } = readPage('webhooks.deliveries', parseQuery(context, PageQuery))
      const page = { limit: limit + 1, before: readPlace(after) }
      const id = context.req.param('id') ?? ''
      const found = await requireWebhooks(surface).deliveries(caller, id, page)
      return pageView('webhooks.deliveries', toPage(found, limit, writePlace), viewDelivery)
    },
  },
  {
    method: 'POST',
    path: '/v1/webhooks/:id/test',
    command: 'webhooks.test',
    summary: 'Sends a test message to a webhook once and says what became of it.',
    returns: {
      schema: () =>
        z.object({
          sent: z.boolean(),
          status: z.int().nullable(),
          trouble: z.string().nullable(),
        }),
      example: { sent: true, status: 204, trouble: null },
    },
    handle: (context, caller, surface) =>
      requireWebhooks(surface).test(caller, context.req.param('id') ?? ''),
  },
]

function writePlace({ endedAt, callId }: WebhookDelivery): string {
  return `${endedAt} ${callId}`
}

function readPlace(after: string | undefined): DeliveryPlace | undefined {
  if (after === undefined) return undefined
  const [endedAt, callId] = after.split(' ')
  if (callId !== undefined && Number.isSafeInteger(Number(endedAt)))
    return { endedAt: Number(endedAt), callId }
  const error = 'is not a next_cursor of this list. Leave it out to begin anew'
  throw invalid([{ field: 'cursor', error, provided_value: null }])
}

function requireWebhooks({ webhooks }: Surface): HttpWebhooks {
  if (webhooks === undefined)
    throw new ToolError('TOOL_CONFIGURATION_ERROR', 'This server calls no webhooks.')
  return webhooks
}
