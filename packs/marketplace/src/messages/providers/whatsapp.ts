import { isToolError, ToolError } from '@surehand/core'
import { fromNetworkFailure } from '@surehand/core/host'
import { sendJson, type VendorAccess } from '@surehand/vendors'
import { z } from 'zod'
import type { CallingPort, MediaFile, MessageContent, MessagingPort } from '../messaging-port.ts'

const VENDOR = 'WhatsApp'

const Sent = z.object({ messages: z.array(z.object({ id: z.string().min(1) })).min(1) })
const Placed = z.object({ calls: z.array(z.object({ id: z.string().min(1) })).min(1) })
const Media = z.object({
  url: z.url(),
  mime_type: z.string().default('application/octet-stream'),
  file_size: z.coerce.number().optional(),
})
const Permission = z.object({
  permission: z.object({ status: z.string() }),
  actions: z
    .array(z.object({ action_name: z.string(), can_perform_action: z.boolean() }))
    .default([]),
})

/** Where WhatsApp is, and as which number we speak. */
export type WhatsAppAccess = VendorAccess & {
  readonly phoneNumberId: string
  /** The version of the Graph API, as in `v25.0`. */
  readonly version: string
}

// WhatsApp's own hosts for media; the access token is sent to no other.
const MEDIA_HOSTS = [/^lookaside\.fbsbx\.com$/, /^mmg\.whatsapp\.net$/, /(?:^|\.)fbcdn\.net$/]

/** The largest media that WhatsApp lets a client send as an image or a document we read. */
export const MAX_MEDIA_BYTES = 16 * 1024 * 1024

/** Sends and receives through the WhatsApp Cloud API (Graph). */
export function whatsAppMessaging(access: WhatsAppAccess): MessagingPort {
  return {
    async send({ tenant, to, content, replyTo, callback }, signal) {
      const answer = await postToNumber(
        access,
        tenant,
        'messages',
        signal,
        {
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          to,
          ...(replyTo === undefined ? {} : { context: { message_id: replyTo } }),
          ...toWire(content),
          biz_opaque_callback_data: callback,
        },
        Sent,
      )
      return { provider_message_id: answer.messages[0]?.id ?? '' }
    },
    async download({ tenant, mediaId }, signal) {
      const media = await sendJson(
        access.fetchFor(tenant),
        {
          vendor: VENDOR,
          url: `${access.baseUrl}/${access.version}/${encodeURIComponent(mediaId)}?phone_number_id=${access.phoneNumberId}`,
          headers: authorization(access),
          signal,
        },
        Media,
      )
      return fetchMedia(access, tenant, media, signal)
    },
  }
}

/** Places calls through the WhatsApp Cloud API. */
export function whatsAppCalling(access: WhatsAppAccess): CallingPort {
  return {
    async place({ tenant, to, sdp, callback }, signal) {
      const answer = await postToNumber(
        access,
        tenant,
        'calls',
        signal,
        {
          messaging_product: 'whatsapp',
          to,
          action: 'connect',
          session: { sdp_type: 'offer', sdp },
          biz_opaque_callback_data: callback,
        },
        Placed,
      )
      return { provider_call_id: answer.calls[0]?.id ?? '' }
    },
    async permission({ tenant, to }, signal) {
      const answer = await sendJson(
        access.fetchFor(tenant),
        {
          vendor: VENDOR,
          url: `${numberUrl(access, 'call_permissions')}?user_wa_id=${encodeURIComponent(to)}`,
          headers: authorization(access),
          signal,
        },
        Permission,
      )
      const action = answer.actions.find(({ action_name: name }) => name === 'start_call')
      return {
        mayCall:
          answer.permission.status !== 'no_permission' && action?.can_perform_action !== false,
        reason: answer.permission.status,
      }
    },
  }
}

async function postToNumber<S extends z.ZodType>(
  access: WhatsAppAccess,
  tenant: string,
  path: string,
  signal: AbortSignal,
  body: unknown,
  answer: S,
): Promise<z.output<S>> {
  const url = numberUrl(access, path)
  const headers = authorization(access)
  const request = { vendor: VENDOR, url, method: 'POST', headers, body, signal } as const
  try {
    return await sendJson(access.fetchFor(tenant), request, answer)
  } catch (thrown) {
    throw isToolError(thrown) ? withoutNumbers(thrown) : thrown
  }
}

function numberUrl({ baseUrl, version, phoneNumberId }: WhatsAppAccess, path: string): string {
  return `${baseUrl}/${version}/${phoneNumberId}/${path}`
}

function authorization({ key }: WhatsAppAccess): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}` }
}

// WhatsApp's error texts may quote the recipient's number.
function withoutNumbers(error: ToolError): ToolError {
  const message = error.message.replaceAll(/\+?\d[\d ]{5,}\d/g, '***')
  if (message === error.message) return error
  return new ToolError(error.code, message, {
    ...(error.details === undefined ? {} : { details: error.details }),
    ...(error.effect === undefined ? {} : { effect: error.effect }),
    cause: error,
  })
}

function toWire(content: MessageContent): Readonly<Record<string, unknown>> {
  switch (content.kind) {
    case 'text':
      return { type: 'text', text: { body: content.text, preview_url: false } }
    case 'buttons':
      return interactive('button', content.text, {
        buttons: content.buttons.map((reply) => ({ type: 'reply', reply })),
      })
    case 'list':
      return interactive('list', content.text, {
        button: content.button,
        sections: [{ rows: content.rows }],
      })
    case 'template':
      return {
        type: 'template',
        template: {
          name: content.name,
          language: { code: content.language },
          components: [
            {
              type: 'body',
              parameters: content.parameters.map((text) => ({ type: 'text', text })),
            },
          ],
        },
      }
    case 'call_permission':
      return interactive('call_permission_request', content.text, {
        name: 'call_permission_request',
      })
  }
}

function interactive(type: string, text: string, action: object): Record<string, unknown> {
  return { type: 'interactive', interactive: { type, body: { text }, action } }
}

async function fetchMedia(
  access: WhatsAppAccess,
  tenant: string,
  { url, mime_type: mediaType, file_size: size = 0 }: z.output<typeof Media>,
  signal: AbortSignal,
): Promise<MediaFile> {
  if (size > MAX_MEDIA_BYTES) throw tooLarge()
  if (!isOwnHost(url, access.baseUrl))
    throw new ToolError(
      'TOOL_EXTERNAL_SERVICE_ERROR',
      'WhatsApp named a media address on a host that is not its own; nothing was downloaded.',
    )
  const response = await access
    .fetchFor(tenant)(url, { headers: authorization(access), signal, redirect: 'error' })
    .catch((thrown: unknown) => {
      throw isToolError(thrown) ? thrown : fromNetworkFailure(thrown, VENDOR)
    })
  if (!response.ok)
    throw new ToolError(
      'TOOL_EXTERNAL_SERVICE_ERROR',
      `WhatsApp answered with the status ${response.status} when the media was downloaded.`,
    )
  const bytes = new Uint8Array(await response.arrayBuffer())
  if (bytes.length > MAX_MEDIA_BYTES) throw tooLarge()
  return { bytes, mediaType: mediaType.split(';')[0] ?? mediaType }
}

function isOwnHost(url: string, baseUrl: string): boolean {
  const { host, hostname, protocol } = new URL(url)
  if (host === new URL(baseUrl).host) return true
  return protocol === 'https:' && MEDIA_HOSTS.some((pattern) => pattern.test(hostname))
}

function tooLarge(): ToolError {
  return new ToolError(
    'TOOL_INPUT_TOO_LARGE',
    `The media is larger than ${MAX_MEDIA_BYTES} bytes. Ask for a smaller picture.`,
  )
}
