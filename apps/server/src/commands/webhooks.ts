import { parseArgs } from 'node:util'
import type { Caller } from '@surehand/core'
import { visibleText } from '@surehand/core/host'
import { systemClock } from '@surehand/core/ports'
import { type HttpWebhooks, viewDelivery } from '@surehand/http'
import type { App } from '../app.ts'
import { openEgress } from '../imports/private-hosts.ts'
import { getWebhook, readWebhook, viewWebhook, webhooksOf } from '../webhooks/webhooks-api.ts'
import { asSystem, type Output, printAnswer, type RunCommand, wrongUsage } from './with-app.ts'

const MOST_DELIVERIES = 50

/** Manages webhooks in a local data folder. */
export const runWebhooks: RunCommand = asSystem(webhooks)

async function webhooks(
  app: App,
  by: Caller,
  [verb = 'list', id, ...rest]: readonly string[],
  output: Output,
): Promise<number> {
  if (verb === 'list') return listWebhooks(app, by, output)
  const run = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined
  if (run === undefined || id === undefined) throw wrongUsage('webhooks')
  const egress = openEgress(app.config)
  try {
    const api = webhooksOf(app, { clock: systemClock(), egress })
    return await run({ app, by, api, output, id }, rest)
  } finally {
    await egress.close()
  }
}

async function listWebhooks({ runtime }: App, by: Caller, output: Output): Promise<number> {
  const listed = (await runtime.administration.list(by, 'webhook')).map(viewWebhook)
  const lines = listed.map(
    ({ id, url, problem, is_enabled }) =>
      `${visibleText(id).padEnd(24)} ${visibleText(problem ?? url ?? '')}${is_enabled ? '' : ' (off)'}\n`,
  )
  printAnswer(output, { data: listed, text: lines.join('') })
  return 0
}

type VerbContext = {
  readonly app: App
  readonly by: Caller
  readonly api: HttpWebhooks
  readonly output: Output
  /** The name of the webhook. */
  readonly id: string
}

type Verb = (context: VerbContext, args: readonly string[]) => Promise<number>

const VERBS: Readonly<Record<string, Verb>> = {
  add: addWebhook,
  remove: removeWebhook,
  on: (context) => switchWebhook(context, 'on'),
  off: (context) => switchWebhook(context, 'off'),
  test: testWebhook,
  deliveries: listDeliveries,
}

async function addWebhook(
  { app, by, api, output, id }: VerbContext,
  args: readonly string[],
): Promise<number> {
  const { values } = parseArgs({ args: [...args], options: { url: { type: 'string' } } })
  const { url } = values
  if (url === undefined) throw wrongUsage('webhooks')
  const before = await app.runtime.administration.get(by, 'webhook', id)
  const settings = { id, url, is_enabled: true, new_secret: true }
  const { secret } = await api.put(by, settings, before?.version)
  // Alone on stdout, so that it can be piped.
  printAnswer(output, {
    data: { id, url, secret },
    text: `${secret}\n`,
    note: `Messages to ${visibleText(url)} are signed with this secret. It is shown only this once.\n`,
  })
  return 0
}

async function removeWebhook({ by, api, output, id }: VerbContext): Promise<number> {
  await api.remove(by, id, undefined)
  printAnswer(output, {
    data: { id, removed: true },
    text: `${visibleText(id)} was removed.\n`,
  })
  return 0
}

async function switchWebhook(
  { app, by, api, output, id }: VerbContext,
  state: 'on' | 'off',
): Promise<number> {
  const item = await getWebhook(app.runtime.administration, by, id)
  const { url } = readWebhook(item)
  const settings = { id, url, is_enabled: state === 'on', new_secret: false }
  const data = await api.put(by, settings, item.version)
  printAnswer(output, {
    data,
    text:
      state === 'on'
        ? `${visibleText(id)} is on.\n`
        : `${visibleText(id)} is off: nothing is sent. What is due waits, for about a day and a half at most.\n`,
  })
  return 0
}

async function testWebhook({ by, api, output, id }: VerbContext): Promise<number> {
  const data = await api.test(by, id)
  const answer = visibleText(data.trouble ?? `status ${data.status}`)
  printAnswer(output, {
    data,
    text: `The test ${data.sent ? 'arrived' : 'did not arrive'}: ${answer}\n`,
  })
  return data.sent ? 0 : 1
}

async function listDeliveries({ by, api, output, id }: VerbContext): Promise<number> {
  const found = await api.deliveries(by, id, { limit: MOST_DELIVERIES, before: undefined })
  const data = found.map(viewDelivery)
  printAnswer(output, { data, text: data.map(describeDelivery).join('') })
  return 0
}

function describeDelivery(delivery: ReturnType<typeof viewDelivery>): string {
  const { id, tool, call_state, ended_at, status, tries, next_attempt_at, last_result } = delivery
  const attempts = `${tries} ${tries === 1 ? 'attempt' : 'attempts'}`
  const answer =
    last_result === null ? [] : [last_result.trouble ?? `status ${last_result.status ?? 'unknown'}`]
  const next = next_attempt_at === null ? [] : [`next ${next_attempt_at}`]
  const parts = [`${tool} ${call_state}`, `${status} after ${attempts}`, ...answer, ...next]
  return `${ended_at}  ${visibleText(id)}  ${visibleText(parts.join(', '))}\n`
}
