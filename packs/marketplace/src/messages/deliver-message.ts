import { defineTool, ToolError } from '@surehand/core'
import { z } from 'zod'
import { OPERATE } from '../contract.ts'
import { marketData, type Reader, readerOf, textOf } from '../market-data.ts'
import { type MarketSettings, settingsPort, type Template } from '../market-settings.ts'
import { type MessageContent, messagingPort } from './messaging-port.ts'
import { isWindowOpen, type Recipient, readRecipient } from './recipient.ts'

const MAX_BUTTONS = 3

type StoredMessage = {
  readonly id: string
  readonly party: 'client' | 'vendor'
  readonly partyId: string
  readonly kind: string
  readonly text: string
  readonly options: readonly string[]
}

export const deliverMessage = defineTool({
  id: 'marketplace.deliver_message',
  title: 'Give a message to WhatsApp',
  category: 'marketplace',
  description: 'Part of sending: gives a prepared message to the provider, once.',
  version: '1.0.0',
  input: z.object({ message_id: z.string() }),
  output: z.object({ provider_message_id: z.string() }),
  contract: {
    ...OPERATE,
    effect: 'writes.message',
    reversible: false,
    // One key for all attempts: WhatsApp's refusal frees it, and nothing else lets it be sent again.
    idempotency: ({ message_id: id }) => `deliver/${id}`,
    onRefusal: 'release',
    timeout: '15s',
    gates: [
      {
        name: 'OPTED_OUT',
        // Asked again after the claim: a STOP may arrive while the message waits.
        check: async ({ input, ports, caller }) => {
          const read = readerOf(ports.data)
          const { party, partyId } = await requireMessage(read, caller.tenant, input.message_id)
          const recipient = await readRecipient(read, { tenant: caller.tenant, party, id: partyId })
          return recipient.hasOptedOut
            ? { message: 'The recipient does not want messages; nothing was sent.' }
            : undefined
        },
      },
    ],
  },
  ports: { data: marketData, settings: settingsPort, messaging: messagingPort },
  examples: [{ name: 'a prepared message', input: { message_id: 'msg_sending' } }],
  execute: async ({ input, caller: { tenant }, ports, callId, idempotencyKey, now, signal }) => {
    const read = readerOf(ports.data, signal)
    const message = await requireMessage(read, tenant, input.message_id)
    const recipient = await readRecipient(read, {
      tenant,
      party: message.party,
      id: message.partyId,
    })
    const settings = await ports.settings.read()
    return ports.messaging.send(
      {
        tenant,
        to: recipient.phone,
        content: toContent(message, recipient, settings, now()),
        callback: toCallback({ callId, messageId: message.id, key: idempotencyKey }),
      },
      signal,
    )
  },
})

/** Travels with a message and comes back with every state of it. */
export type Callback = { readonly callId: string; readonly messageId: string; readonly key: string }

export function toCallback({ callId, messageId, key }: Callback): string {
  return `${callId} ${messageId} ${key}`
}

export function readCallback(text: string | undefined): Callback | undefined {
  const [callId, messageId, key] = (text ?? '').split(' ')
  return callId === undefined || messageId === undefined || key === undefined
    ? undefined
    : { callId, messageId, key }
}

async function requireMessage(read: Reader, tenant: string, id: string): Promise<StoredMessage> {
  const [row] = await read(
    `select id, party, party_id, kind, body, options from mk_messages where tenant = ? and id = ? and direction = 'outbound'`,
    tenant,
    id,
  )
  if (row === undefined)
    throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no message ${id} to send.`)
  return {
    id: String(row.id),
    party: row.party as 'client' | 'vendor',
    partyId: String(row.party_id),
    kind: String(row.kind),
    text: textOf(row.body) ?? '',
    options: JSON.parse(textOf(row.options) ?? '[]') as readonly string[],
  }
}

/** A stored message in WhatsApp's terms: outside the 24 hours as a template. */
export function toContent(
  { party, kind, text, options }: StoredMessage,
  recipient: Recipient,
  settings: Pick<MarketSettings, 'vendorTemplate' | 'clientTemplate'>,
  now: number,
): MessageContent {
  if (!isWindowOpen(recipient, now)) {
    const template = party === 'vendor' ? settings.vendorTemplate : settings.clientTemplate
    return {
      kind: 'template',
      name: template.name,
      language: chooseLanguage(template, recipient.language),
      parameters: [toParameter(text)],
    }
  }
  if (kind === 'call_permission') return { kind, text }
  if (options.length === 0) return { kind: 'text', text }
  const choices = options.map((title, index) => ({ id: `option-${index + 1}`, title }))
  return choices.length <= MAX_BUTTONS
    ? { kind: 'buttons', text, buttons: choices }
    : { kind: 'list', text, button: 'Choose', rows: choices }
}

function chooseLanguage({ languages }: Template, wanted: string | undefined): string {
  const found = languages.find(
    (language) => language === wanted || language.startsWith(`${wanted}_`),
  )
  return found ?? languages[0] ?? 'en'
}

// WhatsApp refuses parameters with line breaks, tabs or more than four spaces in a row.
function toParameter(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 1_024)
}
