import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { createApp } from '../../../apps/server/src/app.ts'
import { readConfig } from '../../../apps/server/src/config/read-config.ts'
import { launchWhatsApp } from '../../../packs/marketplace/src/emulators/whatsapp/launch-whatsapp.ts'
import { DEFAULT_SETTINGS } from '../../../packs/marketplace/src/emulators/whatsapp/settings.ts'
import { freePort } from '../../../testing/src/free-port.ts'
import { ROOT } from '../harness/run-suite.ts'
import { clientPhone, fillMarket, vendorPhone } from './fill-market.ts'

export type WebhookFigures = {
  readonly sent: number
  /** From the moment at which a webhook was due to its answer. */
  readonly timesMs: readonly number[]
  readonly refused: number
}

export type WebhookLoad = { readonly perSecond: number; readonly seconds: number }

const WARM_UP_SECONDS = 5

/** Sends signed webhooks to a `surehand serve` on SQLite at a fixed rate, whether or not it keeps up. */
export async function timeWebhooks(
  folder: string,
  { perSecond, seconds }: WebhookLoad,
): Promise<WebhookFigures> {
  const whatsapp = await launchWhatsApp({ folder: join(folder, 'whatsapp') })
  const port = await freePort()
  await prepareMarket(folder)
  const server = startServer(folder, port, whatsapp.url)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  try {
    await untilReady(port)
    await sendAtRate(WARM_UP_SECONDS * perSecond, 0)
    return await sendAtRate(seconds * perSecond, 1_000_000)
  } finally {
    agent.destroy()
    await endProcess(server, 'SIGTERM')
    await whatsapp.stop()
  }

  async function sendAtRate(count: number, first: number): Promise<WebhookFigures> {
    const startedAt = performance.now()
    const timesMs: number[] = []
    let refused = 0
    const running: Promise<void>[] = []
    for (let index = 0; index < count; index++) {
      const dueAt = startedAt + (index * 1_000) / perSecond
      await waitUntil(dueAt)
      running.push(
        post(agent, port, webhookOf(first + index)).then((status) => {
          timesMs.push(performance.now() - dueAt)
          if (status !== 200) refused += 1
        }),
      )
    }
    await Promise.all(running)
    return { sent: count, timesMs, refused }
  }
}

async function prepareMarket(folder: string): Promise<void> {
  const overrides = { data: folder, builtIn: ['marketplace'], home: 'demo', logLevel: 'silent' }
  const config = await readConfig({ env: {}, folder, overrides: overrides as never })
  await (await createApp(config)).close()
  fillMarket(join(folder, 'surehand.db'), 'demo', { vendors: 3_000, requests: 0 })
}

/** Of ten webhooks six are states of messages, three are messages of vendors, one is a client's. */
function webhookOf(serial: number): string {
  const { businessAccountId, phoneNumberId, displayPhoneNumber } = DEFAULT_SETTINGS
  const kind = serial % 10
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const from = kind === 9 ? clientPhone(serial) : vendorPhone(serial % 3_000)
  const value =
    kind < 6
      ? {
          statuses: [
            { id: `wamid.s${serial}`, status: 'delivered', timestamp, recipient_id: from },
          ],
        }
      : {
          contacts: [{ profile: { name: 'A person' }, wa_id: from }],
          messages: [
            {
              ...{ from, id: `wamid.m${serial}`, timestamp, type: 'text' },
              text: { body: kind === 9 ? 'Hello' : 'Yes we have it, 12,000 RWF' },
            },
          ],
        }
  const metadata = { display_phone_number: displayPhoneNumber, phone_number_id: phoneNumberId }
  return JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: businessAccountId,
        changes: [
          { field: 'messages', value: { messaging_product: 'whatsapp', metadata, ...value } },
        ],
      },
    ],
  })
}

function post(agent: Agent, port: number, body: string): Promise<number> {
  const signature = createHmac('sha256', DEFAULT_SETTINGS.appSecret).update(body).digest('hex')
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        ...{ agent, port, host: '127.0.0.1', method: 'POST', path: '/marketplace/whatsapp' },
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'x-hub-signature-256': `sha256=${signature}`,
        },
      },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

function startServer(folder: string, port: number, whatsAppUrl: string): ChildProcess {
  const { accessToken, appSecret, verifyToken, phoneNumberId } = DEFAULT_SETTINGS
  return spawn(
    process.execPath,
    [join(ROOT, 'apps/server/src/surehand.ts'), 'serve', '--port', String(port)],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        NODE_ENV: 'production',
        SUREHAND_DATA: folder,
        SUREHAND_BUILT_IN: 'marketplace',
        SUREHAND_HOME: 'demo',
        SUREHAND_LOG_LEVEL: 'error',
        WHATSAPP_TOKEN: accessToken,
        WHATSAPP_APP_SECRET: appSecret,
        WHATSAPP_VERIFY_TOKEN: verifyToken,
        WHATSAPP_PHONE_NUMBER_ID: phoneNumberId,
        WHATSAPP_URL: whatsAppUrl,
        MARKETPLACE_QUIET_HOURS: 'off',
      },
    },
  )
}

async function untilReady(port: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('The server was not ready within 30 s.')
}

async function waitUntil(atMs: number): Promise<void> {
  const waitMs = atMs - performance.now()
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
}

async function endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise((resolve) => {
    child.once('exit', resolve)
    child.kill(signal)
  })
}
