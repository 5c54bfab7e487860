import { createHash } from 'node:crypto'
import type { Caller } from '@surehand/core'
import type { KeepFile, KeptFile } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'

type Block = Readonly<Record<string, unknown>>

// What a model can be expected to read in one answer.
const TEXT_BYTES = 64 * 1024
const PREVIEW = 4_000
// Models see images and hear sounds, so these are carried further than other files.
const MEDIA_BYTES = 1024 * 1024
const DATA_BYTES = 256 * 1024

/**
 * Stores what is too large of a mounted tool's answer and puts a link in its place, of a text with
 * its beginning. An answer that cannot be stored is shortened: the call has had its effect.
 */
export async function keepLarge(
  answer: unknown,
  caller: Caller,
  keep: KeepFile | undefined,
): Promise<unknown> {
  const store = async (bytes: Uint8Array, mediaType: string): Promise<KeptFile | undefined> => {
    try {
      return await keep?.(caller, { bytes, mediaType })
    } catch {
      return undefined
    }
  }
  if (!isRecord(answer) || !Array.isArray(answer.content)) return keepData(answer, store)
  const content = await Promise.all(
    answer.content.map((block) => (isRecord(block) ? keepBlock(block, store) : [block])),
  )
  return { ...answer, content: content.flat() }
}

type Store = (bytes: Uint8Array, mediaType: string) => Promise<KeptFile | undefined>

// The beginning of data is no data: it is shown as a text.
async function keepData(data: unknown, store: Store): Promise<unknown> {
  const text = JSON.stringify(data) ?? ''
  if (text.length <= DATA_BYTES) return data
  return { content: await keepText({ type: 'text', text }, text, store, 'application/json') }
}

async function keepBlock(block: Block, store: Store): Promise<readonly Block[]> {
  const { artifact, text, mimeType } = block
  if (isRecord(artifact)) return [{ ...block, artifact: await keepArtifact(artifact, store) }]
  if (typeof text !== 'string' || Buffer.byteLength(text) <= TEXT_BYTES) return [block]
  return keepText(block, text, store, typeof mimeType === 'string' ? mimeType : 'text/plain')
}

async function keepText(
  block: Block,
  text: string,
  store: Store,
  mediaType: string,
): Promise<readonly Block[]> {
  const bytes = Buffer.from(text)
  const kept = await store(bytes, mediaType)
  const most = kept === undefined ? TEXT_BYTES : PREVIEW
  const rest =
    kept === undefined ? 'Ask the tool for less at a time.' : 'The whole of it is linked below.'
  const shown = {
    ...block,
    text: `${text.slice(0, most).toWellFormed()}\n[These are the first ${most} of ${text.length} characters. ${rest}]`,
  }
  if (kept === undefined) return [shown]
  const artifact = { media_type: mediaType, bytes: bytes.length, sha256: digest(bytes), ...kept }
  return [shown, { type: 'resource', uri: kept.uri, mimeType: mediaType, artifact }]
}

async function keepArtifact(artifact: Block, store: Store): Promise<Block> {
  const { base64, ...facts } = artifact
  if (typeof base64 !== 'string') return artifact
  const mediaType = String(facts.media_type)
  const most = /^(?:image|audio)\//.test(mediaType) ? MEDIA_BYTES : TEXT_BYTES
  if (Number(facts.bytes) <= most) return artifact
  const kept = await store(Buffer.from(base64, 'base64'), mediaType)
  // Without a link, what can still be carried is carried.
  if (kept === undefined) return Number(facts.bytes) <= MEDIA_BYTES ? artifact : facts
  return { ...facts, ...kept }
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
