import { parseArgs } from 'node:util'
import { type Caller, ToolError } from '@surehand/core'
import { visibleText } from '@surehand/core/host'
import type { App } from '../app.ts'
import { newWebhookSecret, viewWebhook } from '../webhooks/webhooks-api.ts'
import { asSystem, type Output, printAnswer, type RunCommand, wrongUsage } from './with-app.ts'

/** Manages webhooks in a local data folder. */
export const runWebhooks: RunCommand = asSystem(webhooks)

async function webhooks(
  app: App,
  by: Caller,
  [verb = 'list', id, ...rest]: readonly string[],
  output: Output,
): Promise<number> {
  const { administration } = app.runtime
  if (verb === 'add' && id !== undefined) {
    const { values } = parseArgs({ args: [...rest], options: { url: { type: 'string' } } })
    if (values.url === undefined) throw wrongUsage('webhooks')
    const secret = newWebhookSecret()
    const before = await administration.get(by, 'webhook', id)
    await administration.change(by, {
      kind: 'webhook',
      id,
      value: { url: values.url, secret },
      ...(before === undefined ? {} : { expected: before.version }),
    })
    // Alone on stdout, so that it can be piped.
    printAnswer(output, {
      data: { id, url: values.url, secret },
      text: `${secret}\n`,
      note: `Messages to ${visibleText(values.url)} are signed with this secret. It is shown only this once.\n`,
    })
    return 0
  }
  if (verb === 'remove' && id !== undefined) {
    const before = await administration.get(by, 'webhook', id)
    if (before === undefined)
      throw new ToolError(
        'TOOL_RESOURCE_NOT_FOUND',
        `There is no webhook "${visibleText(id)}". List them with "surehand webhooks".`,
      )
    const expected = before.version
    await administration.change(by, { kind: 'webhook', id, value: undefined, expected })
    printAnswer(output, {
      data: { id, removed: true },
      text: `${visibleText(id)} was removed.\n`,
    })
    return 0
  }
  if (verb !== 'list') throw wrongUsage('webhooks')
  const listed = (await administration.list(by, 'webhook')).map(viewWebhook)
  const lines = listed.map(
    ({ id: name, url, problem, is_enabled }) =>
      `${visibleText(name).padEnd(24)} ${visibleText(problem ?? url ?? '')}${is_enabled ? '' : ' (off)'}\n`,
  )
  printAnswer(output, { data: listed, text: lines.join('') })
  return 0
}
