import { createHash, createHmac } from 'node:crypto'
import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'
import { errorReply, graphError } from './graph-error.ts'
import type { Network } from './network.ts'
import type { WhatsAppRecord } from './record.ts'

const DOWNLOAD_PATH = '/whatsapp_business/attachments/'
/** Meta's own types and their bounds, in bytes. */
const MAX_BYTES: readonly (readonly [RegExp, number])[] = [
  [/^image\/(?:jpeg|png)$/, 5_000_000],
  [/^audio\/(?:aac|mp4|mpeg|amr|ogg)(?:;.*)?$/, 16_000_000],
  [/^video\/(?:mp4|3gp)$/, 16_000_000],
  [/^image\/webp$/, 500_000],
  [/^(?:text\/plain|application\/pdf)$/, 100_000_000],
]

/** Upload, look-up, download and deletion of media. An address to download expires. */
export function mediaRoutes(network: Network): readonly EmulatorRoute[] {
  const withToken =
    (handle: (network: Network, request: EmulatorRequest) => EmulatorReply) =>
    (request: EmulatorRequest) =>
      network.authorize(request) ?? handle(network, request)
  return [
    { method: 'POST', path: '/:version/:phoneNumberId/media', handle: withToken(uploadMedia) },
    { method: 'GET', path: DOWNLOAD_PATH, handle: withToken(downloadMedia) },
    { method: 'GET', path: '/:version/:mediaId', handle: withToken(findMedia) },
    { method: 'DELETE', path: '/:version/:mediaId', handle: withToken(deleteMedia) },
  ]
}

function uploadMedia(network: Network, request: EmulatorRequest): EmulatorReply {
  const parts = readMultipart(request)
  const file = parts.find(({ name }) => name === 'file')
  const product =
    request.query.get('messaging_product') ??
    parts.find(({ name }) => name === 'messaging_product')?.bytes.toString('utf8')
  if (product !== 'whatsapp')
    return errorReply(graphError('missingParameter', 'messaging_product is required.'))
  if (file === undefined) return errorReply(graphError('missingParameter', 'file is required.'))
  const record = storeMedia(network, file.bytes, file.mediaType)
  return record === undefined
    ? errorReply(
        graphError('mediaUpload', `${file.mediaType} with ${file.bytes.length} bytes is refused.`),
      )
    : { body: { id: record.id }, effect: record }
}

/** Stores the bytes and returns the record to write; undefined where Meta takes no such file. */
export function storeMedia(
  network: Network,
  bytes: Uint8Array,
  mediaType: string,
): Extract<WhatsAppRecord, { kind: 'media' }> | undefined {
  const bound = MAX_BYTES.find(([pattern]) => pattern.test(mediaType))?.[1]
  if (bound === undefined || bytes.length > bound || bytes.length === 0) return undefined
  const id = network.newMediaId()
  network.files.write(id, bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { kind: 'media', id, mediaType, sha256, size: bytes.length, atMs: network.now() }
}

function findMedia(network: Network, { params, headers }: EmulatorRequest): EmulatorReply {
  const { mediaId = '' } = params
  const media = network.state.media.get(mediaId)
  if (media === undefined) return unknownMedia(mediaId)
  const expires = Math.floor((network.now() + network.state.settings.mediaUrlTtlMs) / 1_000)
  const query = new URLSearchParams({
    mid: mediaId,
    ext: String(expires),
    hash: signAddress(network, mediaId, expires),
  })
  return {
    body: {
      messaging_product: 'whatsapp',
      url: `http://${headers.host ?? '127.0.0.1'}${DOWNLOAD_PATH}?${query}`,
      mime_type: media.mediaType,
      sha256: media.sha256,
      file_size: String(media.size),
      id: mediaId,
    },
  }
}

function downloadMedia(network: Network, { query }: EmulatorRequest): EmulatorReply {
  const id = query.get('mid') ?? ''
  const expires = Number(query.get('ext'))
  const media = network.state.media.get(id)
  const bytes = network.files.read(id)
  const isValid = query.get('hash') === signAddress(network, id, expires)
  if (media === undefined || bytes === undefined || !isValid || expires * 1_000 < network.now())
    return { status: 404, headers: { 'content-type': 'text/plain' }, body: 'URL signature expired' }
  return { headers: { 'content-type': media.mediaType }, body: bytes }
}

function signAddress({ state }: Network, id: string, expires: number): string {
  return createHmac('sha256', state.settings.appSecret)
    .update(`${id}/${expires}`)
    .digest('base64url')
}

function deleteMedia(network: Network, { params }: EmulatorRequest): EmulatorReply {
  const { mediaId = '' } = params
  if (!network.state.media.has(mediaId)) return unknownMedia(mediaId)
  const effect: WhatsAppRecord = { kind: 'media-deleted', id: mediaId }
  return { body: { success: true }, effect }
}

function unknownMedia(id: string): EmulatorReply {
  return errorReply(
    graphError(
      'invalidParameter',
      `Unsupported get request. Object with ID '${id}' does not exist.`,
    ),
  )
}

export type Part = { readonly name: string; readonly mediaType: string; readonly bytes: Buffer }

/** The parts of a multipart/form-data body. Synchronous, as the handlers of emulators are. */
function readMultipart({ headers, bytes }: EmulatorRequest): readonly Part[] {
  const [, quoted, plain] =
    /boundary=(?:"([^"]+)"|([^;\s]+))/.exec(headers['content-type'] ?? '') ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) return []
  const body = Buffer.from(bytes)
  const marks = findAll(body, Buffer.from(`--${boundary}`))
  return marks.slice(0, -1).flatMap((mark, index) => {
    // Between two boundaries: CRLF, the headers, an empty line, the content, CRLF.
    const part = body.subarray(mark + boundary.length + 4, (marks[index + 1] ?? 0) - 2)
    const split = part.indexOf('\r\n\r\n')
    const head = part.subarray(0, split).toString('utf8')
    const name = /\bname="([^"]*)"/.exec(head)?.[1]
    const mediaType = /^content-type:\s*(.+)$/im.exec(head)?.[1]?.trim() ?? 'text/plain'
    return name === undefined ? [] : [{ name, mediaType, bytes: part.subarray(split + 4) }]
  })
}

function findAll(bytes: Buffer, mark: Buffer): readonly number[] {
  const found: number[] = []
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + mark.length))
    found.push(at)
  return found
}
