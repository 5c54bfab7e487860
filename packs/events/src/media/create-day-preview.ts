import { defineTool } from '@surehand/core'
import type { Progress } from '@surehand/core/host'
import { DayPreviewInput, DayPreviewOutput } from './day-preview-shape.ts'
import { type DayPreviewsPort, dayPreviewsPort } from './day-previews-port.ts'
import { previewEvents } from './preview-events.ts'

export const createDayPreview = defineTool({
  id: 'media.veo.createDayPreview',
  title: 'Create a day preview',
  category: 'integration',
  kind: 'async',
  aliases: ['Media.Veo.createDayPreview', 'media_veo_create_day_preview'],
  description:
    "Make a short video (MP4) that shows a day's events one after another, and answer its address. It is made in the background: the answer is a job first, with progress. Takes up to a minute and may cost money with a live vendor; a retry under the same key is not charged again.",
  input: DayPreviewInput,
  output: DayPreviewOutput,
  contract: {
    effect: 'writes.media',
    reversible: true,
    idempotency: 'caller',
    permissions: { roles: ['user'], capabilities: ['media.write'] },
    auth: 'session',
    timeout: '60s',
    retries: 0,
    latencyBudget: '30s',
    concurrency: 2,
  },
  ports: { dayPreviews: dayPreviewsPort },
  examples: [
    {
      name: 'a Saturday',
      input: {
        date: '2026-06-20',
        events: [
          {
            title: 'Farmers market',
            startTime: '2026-06-20T09:00',
            location: { name: 'Harbour Square' },
            timezone: 'Europe/Berlin',
            source: 'text',
          },
          {
            title: 'Midsummer Night Jazz',
            startTime: '2026-06-20T20:00',
            location: { name: 'City Park Pavilion' },
            timezone: 'Europe/Berlin',
            source: 'flyer',
          },
        ],
      },
    },
  ],
  execute: async ({ input, ports, caller, idempotencyKey, signal, report }) => {
    const made = new AbortController()
    void tell(
      { port: ports.dayPreviews, idempotencyKey, report },
      AbortSignal.any([signal, made.signal]),
    )
    const order = {
      tenant: caller.tenant,
      idempotencyKey,
      date: input.date,
      events: previewEvents(input.events),
      style: input.style,
    }
    try {
      const { url, durationSeconds, provider } = await ports.dayPreviews.create(order, signal)
      return { videoUrl: url, durationSeconds, provider }
    } finally {
      made.abort()
    }
  },
})

type Telling = {
  readonly port: DayPreviewsPort
  readonly idempotencyKey: string
  readonly report: (progress: Progress) => void
}

// beside the work, not within its arguments: what an effect is asked for is written down, and a function can't be
async function tell({ port, idempotencyKey, report }: Telling, signal: AbortSignal): Promise<void> {
  let after = -1
  while (!signal.aborted) {
    const progress = await port.progress({ idempotencyKey, after }, signal).catch(() => null)
    if (progress === null) return
    report(progress)
    after = progress.fraction
  }
}
