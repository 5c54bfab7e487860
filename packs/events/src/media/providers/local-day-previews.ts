import type { PackGiven } from '@surehand/core/host'
import type { DayPreview, DayPreviewsPort, PreviewOrder } from '../day-previews-port.ts'
import { renderVideo } from './preview-video.ts'
import { createProgressFeed } from './progress-feed.ts'

/**
 * Day previews made locally: title and times on moving cards, as MP4. The same order gives the same
 * video.
 */
export function localDayPreviews({
  keepArtifact,
}: Pick<PackGiven, 'keepArtifact'>): DayPreviewsPort {
  const feed = createProgressFeed()
  async function create(order: PreviewOrder, signal: AbortSignal): Promise<DayPreview> {
    const { tenant, idempotencyKey, date, events, style } = order
    try {
      feed.report(idempotencyKey, { fraction: 0, message: 'Drawing the first frame' })
      const onProgress = (done: number, total: number): void =>
        feed.report(idempotencyKey, {
          fraction: done / total,
          message: `${done} of ${total} frames`,
        })
      const video = await renderVideo({ date, events, style }, { onProgress, signal })
      const { url } = await keepArtifact({ tenant, bytes: video.bytes, mediaType: 'video/mp4' })
      return { url, durationSeconds: video.durationSeconds, provider: 'local' }
    } finally {
      feed.end(idempotencyKey)
    }
  }
  // Making it again gives the identical video and costs nothing.
  return { create, find: ({ args }, signal) => create(args, signal), progress: feed.next }
}
