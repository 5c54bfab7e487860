import { ToolError } from '@surehand/core'
import { z } from 'zod'
import {
  type HttpNotifications,
  notificationForm,
  notificationView,
  pushSubscription,
} from '../notification-settings.ts'
import type { Surface } from '../options.ts'
import { parseBody } from '../parse-request.ts'
import type { Documented, Route } from '../route.ts'

const view: Documented = {
  schema: notificationView,
  example: {
    email: 'ann@example.com',
    slack: 'hooks.slack.com',
    webhook_url: null,
    devices: [{ id: '5c1d7b2a4936c5e8', name: 'Phone', service: 'push.example' }],
    requests: 'mine',
    action_links: false,
  },
}
const subscription: Documented = {
  schema: pushSubscription,
  example: {
    endpoint: 'https://push.example/send/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV',
    keys: {
      p256dh:
        'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
    name: 'Phone',
  },
}
const tested: Documented = {
  schema: () =>
    z.object({
      channels: z.array(
        z.object({ channel: z.string(), sent: z.boolean(), trouble: z.string().exactOptional() }),
      ),
    }),
  example: { channels: [{ channel: 'email', sent: true }] },
}

/** How the caller hears of approval requests and questions that wait for them. */
export const notificationRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/notifications',
    command: 'notifications.get',
    summary: 'Returns how you are notified of what waits for you.',
    returns: view,
    handle: (_, caller, surface) => requireNotifications(surface).get(caller),
  },
  {
    method: 'PUT',
    path: '/v1/notifications',
    command: 'notifications.set',
    summary: 'Changes how you are notified; null removes a channel.',
    body: {
      schema: notificationForm,
      example: { email: 'ann@example.com', slack: null, requests: 'mine' },
    },
    returns: view,
    async handle(context, caller, surface) {
      const form = await parseBody(context, surface, notificationForm())
      return requireNotifications(surface).set(caller, form)
    },
  },
  {
    method: 'POST',
    path: '/v1/notifications/devices',
    command: 'notifications.subscribe',
    summary: 'Adds a browser that receives pushes.',
    body: subscription,
    returns: view,
    async handle(context, caller, surface) {
      const device = await parseBody(context, surface, pushSubscription())
      return requireNotifications(surface).subscribe(caller, device)
    },
  },
  {
    method: 'DELETE',
    path: '/v1/notifications/devices/:id',
    command: 'notifications.unsubscribe',
    summary: 'Removes a browser.',
    returns: view,
    handle: (context, caller, surface) =>
      requireNotifications(surface).unsubscribe(caller, context.req.param('id') ?? ''),
  },
  {
    method: 'POST',
    path: '/v1/notifications/test',
    command: 'notifications.test',
    summary: 'Sends a test message to each of your channels and says what became of it.',
    returns: tested,
    handle: async (_, caller, surface) => ({
      channels: await requireNotifications(surface).test(caller),
    }),
  },
]

export function requireNotifications({ notifications }: Surface): HttpNotifications {
  if (notifications === undefined)
    throw new ToolError('TOOL_CONFIGURATION_ERROR', 'This server sends no notifications.')
  return notifications
}
