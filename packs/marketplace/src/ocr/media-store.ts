import { Buffer } from 'node:buffer'
import { ToolError } from '@surehand/core'
import type { MarketWork } from '../engine/market-context.ts'
import type { MediaFile } from '../messages/messaging-port.ts'

const SCHEME = 'whatsapp-media:'
const MAX_BYTES = 16 * 1024 * 1024

/** The address of a picture that was downloaded from WhatsApp. */
export function mediaUrlOf(mediaId: string): string {
  return `${SCHEME}${mediaId}`
}

function keyOf(mediaId: string): string {
  return `marketplace/media/${mediaId}`
}

/** Downloads a picture from WhatsApp once; it is stored as long as the setting says. */
export async function downloadMedia(work: MarketWork, mediaId: string): Promise<void> {
  const { tenant, values, messaging, signal } = work
  if ((await values.get(tenant, keyOf(mediaId))) !== undefined) return
  const { bytes, mediaType } = await messaging.download({ tenant, mediaId }, signal)
  const text = `${mediaType};${Buffer.from(bytes).toString('base64')}`
  await values.set(tenant, keyOf(mediaId), text, work.settings().ocrRetentionMs)
}

export async function deleteMedia({ tenant, values }: MarketWork, url: string): Promise<void> {
  if (url.startsWith(SCHEME)) await values.delete(tenant, keyOf(url.slice(SCHEME.length)))
}

/** The bytes of a picture: one from WhatsApp, or any address that the egress rules allow. */
export async function openMedia(work: MarketWork, url: string): Promise<MediaFile> {
  const { tenant, values, signal } = work
  if (url.startsWith(SCHEME)) {
    const stored = await values.get(tenant, keyOf(url.slice(SCHEME.length)))
    if (stored === undefined)
      throw new ToolError('TOOL_RESOURCE_NOT_FOUND', 'The picture is no longer stored.')
    const [mediaType = '', text = ''] = stored.split(';')
    return { bytes: new Uint8Array(Buffer.from(text, 'base64')), mediaType }
  }
  if (!url.startsWith('https://'))
    throw new ToolError('TOOL_INVALID_FIELD_VALUE', 'A picture is read from an https address.')
  const response = await work.fetch({ tenant, maxBytes: MAX_BYTES })(url, { signal })
  if (!response.ok)
    throw new ToolError(
      'TOOL_RESOURCE_NOT_FOUND',
      `The address of the picture answered with the status ${response.status}.`,
    )
  return {
    bytes: new Uint8Array(await response.arrayBuffer()),
    mediaType: response.headers.get('content-type') ?? '',
  }
}
