import { parseArgs } from 'node:util'
import type { Caller } from '@surehand/core'
import { visibleText } from '@surehand/core/host'
import { systemClock } from '@surehand/core/ports'
import { notificationForm } from '@surehand/http'
import type { App } from '../app.ts'
import { openEgress } from '../imports/private-hosts.ts'
import { type Notifications, notificationsOf } from '../notifications/notifications.ts'
import { addressesOf } from '../serve/addresses.ts'
import { asPrincipal, type Output, printAnswer, type RunCommand, wrongUsage } from './with-app.ts'

/** Shows, changes and tries how the principal of the command is notified. */
export const runNotifications: RunCommand = asPrincipal(notifications)

async function notifications(
  app: App,
  caller: Caller,
  [verb = 'show', ...rest]: readonly string[],
  output: Output,
): Promise<number> {
  if (verb !== 'show' && verb !== 'set' && verb !== 'test') throw wrongUsage('notifications')
  const egress = openEgress(app.config)
  const api = notificationsOf(app, {
    egress,
    publicUrl: addressesOf(app.config, app.config.port).publicUrl,
    onTrouble: () => undefined,
    clock: systemClock(),
  })
  try {
    if (verb === 'test') return await sendTest(api, caller, output)
    const form = verb === 'set' ? readSettings(rest) : undefined
    if (form === 'wrong') throw wrongUsage('notifications')
    const view = form === undefined ? await api.get(caller) : await api.set(caller, form)
    const { webhook_secret: secret, ...shown } = view
    printAnswer(output, {
      data: view,
      text: `${visibleText(JSON.stringify(shown, undefined, 2))}\n`,
      ...(secret === undefined
        ? {}
        : {
            note: `Messages to the webhook are signed with ${secret}. It is shown only this once.\n`,
          }),
    })
    return 0
  } finally {
    await api.close()
    await egress.close()
  }
}

async function sendTest(api: Notifications, caller: Caller, output: Output): Promise<number> {
  const channels = await api.test(caller)
  const lines = channels.map(
    ({ channel, sent, trouble }) =>
      `${channel}: ${sent ? 'sent' : visibleText(trouble ?? 'not sent')}\n`,
  )
  printAnswer(output, {
    data: { channels },
    text: lines.join(''),
    ...(channels.length > 0
      ? {}
      : {
          note: 'There is no channel yet. Add one with "surehand notifications set --email ADDRESS".\n',
        }),
  })
  return channels.length > 0 && channels.every(({ sent }) => sent) ? 0 : 1
}

function readSettings(args: readonly string[]): Parameters<Notifications['set']>[1] | 'wrong' {
  const { values } = parseArgs({
    args: [...args],
    options: {
      email: { type: 'string' },
      slack: { type: 'string' },
      webhook: { type: 'string' },
      requests: { type: 'string' },
      'action-links': { type: 'string' },
    },
  })
  const { email, slack, webhook, requests, 'action-links': links } = values
  const orNull = (text: string): string | null => (text === 'none' ? null : text)
  const target = (text: string): object | null =>
    text === 'none' ? null : /^https?:/.test(text) ? { webhook_url: text } : { user: text }
  const parsed = notificationForm().safeParse({
    ...(email === undefined ? {} : { email: orNull(email) }),
    ...(slack === undefined ? {} : { slack: target(slack) }),
    ...(webhook === undefined ? {} : { webhook_url: orNull(webhook) }),
    ...(requests === undefined ? {} : { requests }),
    ...(links === undefined ? {} : { action_links: links === 'on' }),
  })
  return parsed.success ? parsed.data : 'wrong'
}
