import { Buffer } from 'node:buffer'
import { setTimeout as pauseFor } from 'node:timers/promises'
import { ToolError } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import type { ValueStore } from '@surehand/core/ports'
import type { VendorAccess } from '@surehand/vendors'
import { z } from 'zod'
import type { DayPreview, DayPreviewsPort, PreviewOrder } from '../day-previews-port.ts'
import { createProgressFeed, type ProgressFeed } from './progress-feed.ts'
import { fetchVideo, getVeoOperation, startVeo } from './veo-operations.ts'

const POLL_MS = 4_000
const TTL_MS = 31 * 24 * 60 * 60 * 1000
const StoredOperation = z.object({ operation: z.string() })

export type VeoOptions = VendorAccess &
  Pick<PackGiven, 'keepArtifact'> & {
    readonly values: Pick<ValueStore, 'get' | 'set'>
    readonly model: string
    /** Waits between two polls; replaced in tests. */
    readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
  }

/**
 * Veo. The name of its operation is stored under the idempotency key, so that a retry waits for it
 * instead of ordering, and paying for, a second video.
 */
export function veoDayPreviews(options: VeoOptions): DayPreviewsPort {
  const { values, model } = options
  const feed = createProgressFeed()
  return {
    async create(order, signal) {
      const operation = await startVeo({ ...options, model }, order, signal)
      await values.set(
        order.tenant,
        storageKey(order.idempotencyKey),
        JSON.stringify({ operation }),
        TTL_MS,
      )
      return awaitVideo({ options, feed, order, operation }, signal)
    },
    async find({ idempotencyKey, args }, signal) {
      const stored = await values.get(args.tenant, storageKey(idempotencyKey))
      if (stored === undefined) return null
      return awaitVideo(
        {
          options,
          feed,
          order: args,
          operation: StoredOperation.parse(JSON.parse(stored)).operation,
        },
        signal,
      )
    },
    progress: feed.next,
  }
}

function storageKey(idempotencyKey: string): string {
  return `media/day-preview/${idempotencyKey}`
}

type PendingVideo = {
  readonly options: VeoOptions
  readonly feed: ProgressFeed
  readonly order: PreviewOrder
  readonly operation: string
}

async function awaitVideo(
  { options, feed, order, operation }: PendingVideo,
  signal: AbortSignal,
): Promise<DayPreview> {
  const { tenant, idempotencyKey } = order
  const pause = options.pause ?? ((ms, until) => pauseFor(ms, undefined, { signal: until }))
  try {
    for (let polls = 0; ; polls++) {
      // Veo reports no progress; this fraction only grows.
      feed.report(idempotencyKey, {
        fraction: polls / (polls + 8),
        message: 'Veo is working; it reports no progress',
      })
      const { uri, model = 'veo' } = await getVeoOperation(
        options,
        { tenant, name: operation },
        signal,
      )
      if (uri !== undefined) return await storeVideo({ options, order, uri, model }, signal)
      await pause(POLL_MS, signal)
    }
  } finally {
    feed.end(idempotencyKey)
  }
}

type FinishedVideo = {
  readonly options: VeoOptions
  readonly order: PreviewOrder
  readonly uri: string
  readonly model: string
}

async function storeVideo(
  { options, order, uri, model }: FinishedVideo,
  signal: AbortSignal,
): Promise<DayPreview> {
  const { tenant } = order
  const bytes = await fetchVideo(options, { tenant, uri }, signal)
  const durationSeconds = mp4Seconds(bytes)
  if (durationSeconds === undefined)
    throw new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', 'Veo returned a video that cannot be read.')
  const { url } = await options.keepArtifact({ tenant, bytes, mediaType: 'video/mp4' })
  return { url, durationSeconds, provider: `veo (${model})` }
}

/** The duration in the header of an MP4 (ISO/IEC 14496-12: moov, mvhd); undefined without one. */
export function mp4Seconds(bytes: Uint8Array): number | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const movie = findBox(file, 'moov')
  const header = movie === undefined ? undefined : findBox(movie, 'mvhd')
  if (header === undefined || header.length < 20) return undefined
  const isLong = header.readUInt8(0) === 1
  if (isLong && header.length < 32) return undefined
  const scale = header.readUInt32BE(isLong ? 20 : 12)
  const duration = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)
  return scale === 0 ? undefined : duration / scale
}

/** The content of the first box with this name. */
export function findBox(container: Buffer, name: string): Buffer | undefined {
  for (let at = 0; at + 8 <= container.length; ) {
    const short = container.readUInt32BE(at)
    const head = short === 1 ? 16 : 8
    if (at + head > container.length) return undefined
    // 0: up to the end; 1: a 64-bit size follows the name.
    const size =
      short === 0
        ? container.length - at
        : short === 1
          ? Number(container.readBigUInt64BE(at + 8))
          : short
    if (size < head) return undefined
    if (container.toString('latin1', at + 4, at + 8) === name)
      return container.subarray(at + head, at + size)
    at += size
  }
  return undefined
}
