import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { Terminal } from '@surehand/cli'
import type { Caller } from '@surehand/core'
import { visibleText, webhookForm } from '@surehand/core/host'
import type { App } from '../app.ts'
import { asSystem, printUsage, type RunCommand } from './with-app.ts'

/** Manages webhooks in a local data folder. */
export const runWebhooks: RunCommand = asSystem(webhooks)

async function webhooks(
  app: App,
  by: Caller,
  [verb = 'list', id, ...rest]: readonly string[],
  { stdout, stderr }: Terminal,
): Promise<number> {
  const { administration } = app.runtime
  if (verb === 'add' && id !== undefined) {
    const { values } = parseArgs({ args: [...rest], options: { url: { type: 'string' } } })
    if (values.url === undefined) return printUsage('webhooks', stderr)
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    const before = await administration.get(by, 'webhook', id)
    await administration.change(by, {
      kind: 'webhook',
      id,
      value: { url: values.url, secret },
      ...(before === undefined ? {} : { expected: before.version }),
    })
    // Alone on stdout, so that it can be piped.
    stdout.write(`${secret}\n`)
    stderr.write(
      `Messages to ${visibleText(values.url)} are signed with this secret. It is shown only this once.\n`,
    )
    return 0
  }
  if (verb === 'remove' && id !== undefined) {
    const before = await administration.get(by, 'webhook', id)
    if (before !== undefined)
      await administration.change(by, {
        kind: 'webhook',
        id,
        value: undefined,
        expected: before.version,
      })
    stdout.write(
      before === undefined
        ? `There is no webhook "${visibleText(id)}". List them with "surehand webhooks".\n`
        : `${visibleText(id)} was removed.\n`,
    )
    return before === undefined ? 1 : 0
  }
  if (verb !== 'list') return printUsage('webhooks', stderr)
  for (const { id: name, value, unopened } of await administration.list(by, 'webhook'))
    stdout.write(
      `${visibleText(name).padEnd(24)} ${visibleText(unopened?.message ?? webhookForm().parse(JSON.parse(value)).url)}\n`,
    )
  return 0
}
