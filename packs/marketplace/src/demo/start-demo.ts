import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PackDemo, PackServices } from '@surehand/core/host'
import { launchEngines } from '../discovery/emulators/launch-engines.ts'
import {
  type LaunchedWhatsApp,
  launchWhatsApp,
  whatsAppControl,
} from '../emulators/whatsapp/launch-whatsapp.ts'
import { DEFAULT_SETTINGS } from '../emulators/whatsapp/settings.ts'
import { DEMO_CLIENTS, DEMO_PHONES, DEMO_TEMPLATES } from './demo-phones.ts'
import { DEMO_VENDORS } from './market-vendors.ts'

/** An offer without media: the emulator carries the states of calls and no sound. */
const SILENT_OFFER = 'v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n'

/**
 * The demo of the marketplace: WhatsApp in a process of its own, with the phones of clients and of
 * 60 vendors in Kigali, and search engines that find made-up pages.
 */
export const startMarketDemo: PackDemo = async ({ folder }) => {
  const whatsapp = await launchOnSamePort(folder)
  const engines = await launchEngines()
  const { accessToken, appSecret, verifyToken, phoneNumberId } = DEFAULT_SETTINGS
  return {
    environment: {
      ...engines.environment,
      WHATSAPP_TOKEN: accessToken,
      WHATSAPP_APP_SECRET: appSecret,
      WHATSAPP_VERIFY_TOKEN: verifyToken,
      WHATSAPP_PHONE_NUMBER_ID: phoneNumberId,
      WHATSAPP_URL: whatsapp.url,
      WHATSAPP_CALL_OFFER: SILENT_OFFER,
      CALLING_ENABLED: 'true',
      OCR_ENABLED: 'true',
      // The demo also works at night.
      MARKETPLACE_QUIET_HOURS: 'off',
      MARKETPLACE_REPLY_MINUTES: '2',
    },
    seed: (services) => seedMarket(services, whatsapp.url),
    links: [{ title: 'Phones of the marketplace', url: `${whatsapp.url}/phones` }],
    stop: async () => {
      await engines.stop()
      await whatsapp.stop()
    },
  }
}

// The address of the phones stays the same, so that a page that is open connects again.
async function launchOnSamePort(folder: string): Promise<LaunchedWhatsApp> {
  const file = join(folder, 'port.txt')
  const settings = { templates: [...DEMO_TEMPLATES] }
  const known = existsSync(file) ? Number(readFileSync(file, 'utf8')) : undefined
  const whatsapp =
    known === undefined
      ? await launchWhatsApp({ folder, settings })
      : await launchWhatsApp({ folder, settings, port: known }).catch(() =>
          launchWhatsApp({ folder, settings }),
        )
  writeFileSync(file, String(whatsapp.port))
  return whatsapp
}

/** Vendors, phones and first messages; what is there already stays as it is. */
async function seedMarket(services: PackServices, whatsAppUrl: string): Promise<void> {
  const tenant = services.setting('MARKETPLACE_TENANT') ?? services.home
  const vendors = DEMO_VENDORS.map(({ sector, ...vendor }) => ({ ...vendor, area: sector }))
  const version = createHash('sha256').update(JSON.stringify(vendors)).digest('hex')
  const outcome = await services.call({
    tool: 'marketplace.import_vendors',
    input: { vendors },
    caller: services.systemCaller(tenant),
    surface: 'demo',
    idempotencyKey: `demo/vendors/${version}`,
  })
  if (outcome.status === 'failed')
    throw new Error('The vendors of the demo were not imported.', { cause: outcome.error })
  const control = whatsAppControl(whatsAppUrl)
  const isNew = await control.addPhones(DEMO_PHONES)
  await control.configure({
    webhookUrl: `${services.publicUrl}/marketplace/whatsapp`,
    ...(isNew ? { vendorsAnswer: true } : {}),
  })
  if (!isNew) return
  for (const { number, first } of DEMO_CLIENTS) await control.write(number, first)
}
