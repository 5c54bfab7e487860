import { Buffer } from 'node:buffer'
import { setTimeout as pauseFor } from 'node:timers/promises'
import { ToolError } from '@surehand/core'
import type { PackGiven } from '@surehand/core/host'
import type { ValueStore } from '@surehand/core/ports'
import type { VendorAccess } from '@surehand/vendors'
import { z } from 'zod'
import type { DayPreview, DayPreviewsPort, PreviewOrder } from '../day-previews-port.ts'
import { createProgressFeed, type ProgressFeed } from './progress-feed.ts'
import { fetchFilm, lookAtVeo, startVeo } from './veo-operations.ts'

const POLL_MS = 4_000
const KEPT_MS = 31 * 24 * 60 * 60 * 1000
const Begun = z.object({ operation: z.string() })

export type VeoOptions = VendorAccess &
  Pick<PackGiven, 'keepArtifact'> & {
    readonly values: Pick<ValueStore, 'get' | 'set'>
    readonly model?: string
    /** Between two looks. */
    readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>
  }

/**
 * Veo: its operation is written down under our key as soon as it has a name, so that it is waited
 * for and never ordered twice.
 */
export function veoDayPreviews(options: VeoOptions): DayPreviewsPort {
  const { values, model = 'veo-3.1-generate-preview' } = options
  const feed = createProgressFeed()
  return {
    async create(order, signal) {
      const operation = await startVeo({ ...options, model }, order, signal)
      await values.set(
        order.tenant,
        keyOf(order.idempotencyKey),
        JSON.stringify({ operation }),
        KEPT_MS,
      )
      return awaitFilm({ options, feed, order, operation }, signal)
    },
    async find({ idempotencyKey, args }, signal) {
      const begun = await values.get(args.tenant, keyOf(idempotencyKey))
      if (begun === undefined) return null
      return awaitFilm(
        { options, feed, order: args, operation: Begun.parse(JSON.parse(begun)).operation },
        signal,
      )
    },
    progress: feed.next,
  }
}

function keyOf(idempotencyKey: string): string {
  return `media/day-preview/${idempotencyKey}`
}

type Awaited = {
  readonly options: VeoOptions
  readonly feed: ProgressFeed
  readonly order: PreviewOrder
  readonly operation: string
}

async function awaitFilm(
  { options, feed, order, operation }: Awaited,
  signal: AbortSignal,
): Promise<DayPreview> {
  const { tenant, idempotencyKey } = order
  const pause = options.pause ?? ((ms, until) => pauseFor(ms, undefined, { signal: until }))
  try {
    for (let looks = 0; ; looks++) {
      // the vendor tells no share: this one only grows
      feed.report(idempotencyKey, {
        fraction: looks / (looks + 8),
        message: 'Veo is at work; it does not tell how far it is',
      })
      const { uri, model = 'veo' } = await lookAtVeo(options, { tenant, name: operation }, signal)
      if (uri !== undefined) return await storeFilm({ options, order, uri, model }, signal)
      await pause(POLL_MS, signal)
    }
  } finally {
    feed.end(idempotencyKey)
  }
}

type Made = {
  readonly options: VeoOptions
  readonly order: PreviewOrder
  readonly uri: string
  readonly model: string
}

async function storeFilm(
  { options, order, uri, model }: Made,
  signal: AbortSignal,
): Promise<DayPreview> {
  const { tenant } = order
  const bytes = await fetchFilm(options, { tenant, uri }, signal)
  const durationSeconds = mp4Seconds(bytes)
  if (durationSeconds === undefined)
    throw new ToolError(
      'TOOL_EXTERNAL_SERVICE_ERROR',
      'Veo answered with a film that cannot be read.',
    )
  const { url } = await options.keepArtifact({ tenant, bytes, mediaType: 'video/mp4' })
  return { url, durationSeconds, provider: `veo (${model})` }
}

/**
 * How long a film is, as its header says; undefined where there is none to read (ISO/IEC 14496-12:
 * moov, mvhd).
 */
export function mp4Seconds(bytes: Uint8Array): number | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const movie = boxIn(file, 'moov')
  const header = movie === undefined ? undefined : boxIn(movie, 'mvhd')
  if (header === undefined || header.length < 20) return undefined
  const isLong = header.readUInt8(0) === 1
  if (isLong && header.length < 32) return undefined
  const scale = header.readUInt32BE(isLong ? 20 : 12)
  const duration = isLong ? Number(header.readBigUInt64BE(24)) : header.readUInt32BE(16)
  return scale === 0 ? undefined : duration / scale
}

/** What is in the first box of this name. */
export function boxIn(container: Buffer, name: string): Buffer | undefined {
  for (let at = 0; at + 8 <= container.length; ) {
    const short = container.readUInt32BE(at)
    const head = short === 1 ? 16 : 8
    if (at + head > container.length) return undefined
    // 0: to the end; 1: the size stands after the name
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
