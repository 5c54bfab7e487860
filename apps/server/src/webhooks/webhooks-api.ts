import { randomBytes } from 'node:crypto'
import { type Caller, ToolError } from '@surehand/core'
import { type AdminApi, visibleText, type Webhook, webhookForm } from '@surehand/core/host'
import { type AdminItem, type NoticeStore, systemEntropy } from '@surehand/core/ports'
import type { HttpWebhooks, WebhookView } from '@surehand/http'
import type { App } from '../app.ts'
import { sendToWebhook, type WebhookContext } from './deliver.ts'

type WebhooksApiOptions = Pick<WebhookContext, 'clock' | 'egress'> & {
  /** Checks permissions and versions, and writes the audit. */
  readonly administration: AdminApi
  readonly notices: Pick<NoticeStore, 'list'>
}

/** A secret of Standard Webhooks, by which receivers check signatures. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

/** The webhooks of an app. */
export function webhooksOf(
  { runtime: { administration }, stores: { notices } }: Pick<App, 'runtime' | 'stores'>,
  given: Pick<WebhookContext, 'clock' | 'egress'>,
): HttpWebhooks {
  return createWebhooksApi({ administration, notices, ...given })
}

/** Manages the webhooks of a tenant, for administrators. */
function createWebhooksApi(options: WebhooksApiOptions): HttpWebhooks {
  const { administration, notices, clock } = options
  const entropy = systemEntropy()
  const requireWebhook = (by: Caller, id: string): Promise<AdminItem> =>
    getWebhook(administration, by, id)

  return {
    list: async (by, page) => (await administration.list(by, 'webhook', page)).map(viewWebhook),
    async put(by, { id, url, is_enabled, new_secret }, expected) {
      const before = await administration.get(by, 'webhook', id)
      const isNew = new_secret || before === undefined || before.unopened !== undefined
      const secret = isNew ? newWebhookSecret() : readWebhook(before).secret
      const value: Webhook = { url, secret, ...(is_enabled ? {} : { disabled: true }) }
      const item = await administration.change(by, {
        ...{ kind: 'webhook', id, value },
        ...(expected === undefined ? {} : { expected }),
      })
      const view = viewWebhook(item ?? (await requireWebhook(by, id)))
      return isNew ? { ...view, secret } : view
    },
    async remove(by, id, expected) {
      const { version } = await requireWebhook(by, id)
      await administration.change(by, {
        ...{ kind: 'webhook', id, value: undefined },
        expected: expected ?? version,
      })
    },
    async deliveries(by, id, page) {
      await requireWebhook(by, id)
      return notices.list({ tenant: by.tenant, webhook: id }, page)
    },
    async test(by, id) {
      const webhook = readWebhook(await requireWebhook(by, id))
      const now = clock.now()
      const message = {
        id: entropy.newId('test', now),
        tenant: by.tenant,
        body: { type: 'test', timestamp: new Date(now).toISOString(), data: {} },
      }
      const posted = await sendToWebhook(message, webhook, options)
      if ('trouble' in posted) return { sent: false, status: null, trouble: posted.trouble }
      const { status } = posted
      return { sent: status >= 200 && status < 300, status, trouble: null }
    },
  }
}

/** Reads a webhook of the tenant; throws where there is none. */
export async function getWebhook(
  administration: AdminApi,
  by: Caller,
  id: string,
): Promise<AdminItem> {
  const item = await administration.get(by, 'webhook', id)
  if (item !== undefined) return item
  throw new ToolError(
    'TOOL_RESOURCE_NOT_FOUND',
    `There is no webhook "${visibleText(id)}". List them with "surehand webhooks" or GET /v1/webhooks.`,
  )
}

/** A stored webhook; throws where it cannot be decrypted. */
export function readWebhook({ value, unopened }: AdminItem): Webhook {
  if (unopened !== undefined) throw unopened
  return webhookForm().parse(JSON.parse(value))
}

/** A stored webhook without its secret. */
export function viewWebhook(item: AdminItem): WebhookView {
  const { id, version, unopened } = item
  const webhook = unopened === undefined ? readWebhook(item) : undefined
  return {
    ...{ id, version },
    url: webhook?.url ?? null,
    is_enabled: webhook?.disabled !== true,
    problem: unopened?.message ?? null,
  }
}
