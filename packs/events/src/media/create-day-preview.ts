import { defineTool } from '@surehand/core'
import type { Progress } from '@surehand/core/host'
import { z } from 'zod'
import { CanonicalEvent } from '../extract/canonical-event.ts'
import type { PreviewEvent } from './day-previews-port.ts'
import { type DayPreviewsPort, dayPreviewsPort, PreviewStyle } from './day-previews-port.ts'

const DATE = /^\d{4}-\d{2}-\d{2}$/
const OFFSET = /(?:Z|[+-]\d{2}:?\d{2})$/i

/** The events as a preview shows them, in the order of their start. */
export function previewEvents(events: readonly CanonicalEvent[]): readonly PreviewEvent[] {
  return events
    .map((event) => ({ event, time: localTime(event) }))
    .sort((left, right) => (left.time < right.time ? -1 : left.time > right.time ? 1 : 0))
    .map(({ event, time }) => ({
      title: event.title,
      time: time === '' ? 'All day' : time,
      ...(event.location === undefined ? {} : { place: event.location.name }),
    }))
}

// The local time at the place; empty for an all-day event, which then sorts first.
function localTime({ startTime, timezone }: CanonicalEvent): string {
  if (DATE.test(startTime)) return ''
  if (!OFFSET.test(startTime)) return startTime.slice(11, 16)
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(startTime))
}

const DayPreviewInput = z.object({
  events: z.array(CanonicalEvent).max(24).describe('The events of the day; at most 24.'),
  date: z.iso.date().describe('The day, as in 2026-06-20.'),
  style: PreviewStyle.default('cinematic'),
})

const DayPreviewOutput = z.object({
  videoUrl: z.string(),
  durationSeconds: z.number().min(0),
  provider: z.string().optional().describe('The provider that made it.'),
})

export const createDayPreview = defineTool({
  id: 'media.veo.createDayPreview',
  title: 'Create a day preview',
  category: 'integration',
  kind: 'async',
  aliases: ['Media.Veo.createDayPreview', 'media_veo_create_day_preview'],
  description:
    'Makes a short video (MP4) that shows the events of a day one after another, and returns its URL. It is made in the background: the first answer is a job, with progress. It takes up to a minute and may cost money with a vendor; a retry under the same key is not charged again.',
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
    const finished = new AbortController()
    void forwardProgress(
      { port: ports.dayPreviews, idempotencyKey, report },
      AbortSignal.any([signal, finished.signal]),
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
      finished.abort()
    }
  },
})

type ProgressOptions = {
  readonly port: DayPreviewsPort
  readonly idempotencyKey: string
  readonly report: (progress: Progress) => void
}

// Progress is a separate method of the port, because the arguments of an effect are stored and a
// function cannot be.
async function forwardProgress(
  { port, idempotencyKey, report }: ProgressOptions,
  signal: AbortSignal,
): Promise<void> {
  let after = -1
  while (!signal.aborted) {
    const progress = await port.progress({ idempotencyKey, after }, signal).catch(() => null)
    if (progress === null) return
    report(progress)
    after = progress.fraction
  }
}
