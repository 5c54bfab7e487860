import { defineTool } from '@surehand/core'
import type { Progress } from '@surehand/core/host'
import { z } from 'zod'
import { CanonicalEvent } from '../extract/canonical-event.ts'
import type { PreviewEvent } from './day-previews-port.ts'
import { type DayPreviewsPort, dayPreviewsPort, PreviewStyle } from './day-previews-port.ts'

const DATE_ALONE = /^\d{4}-\d{2}-\d{2}$/
const OFFSET = /(?:Z|[+-]\d{2}:?\d{2})$/i

/** What a preview shows of a day's events, in the order they begin. */
export function previewEvents(events: readonly CanonicalEvent[]): readonly PreviewEvent[] {
  return events
    .map((event) => ({ event, clock: clockOf(event) }))
    .sort((left, right) => (left.clock < right.clock ? -1 : left.clock > right.clock ? 1 : 0))
    .map(({ event, clock }) => ({
      title: event.title,
      time: clock === '' ? 'All day' : clock,
      ...(event.location === undefined ? {} : { place: event.location.name }),
    }))
}

// what a clock at the place shows; nothing for a whole day, which so comes first
function clockOf({ startTime, timezone }: CanonicalEvent): string {
  if (DATE_ALONE.test(startTime)) return ''
  if (!OFFSET.test(startTime)) return startTime.slice(11, 16)
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(startTime))
}

const DayPreviewInput = z.object({
  events: z.array(CanonicalEvent).max(24).describe("The day's events; at most 24."),
  date: z.iso.date().describe('The day, as in 2026-06-20.'),
  style: PreviewStyle.default('cinematic'),
})

const DayPreviewOutput = z.object({
  videoUrl: z.string(),
  durationSeconds: z.number().min(0),
  provider: z.string().optional().describe('Who made it.'),
})

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

// beside the work, not within its arguments: what an effect is asked for is written down, and a
// function can't be
async function tell({ port, idempotencyKey, report }: Telling, signal: AbortSignal): Promise<void> {
  let after = -1
  while (!signal.aborted) {
    const progress = await port.progress({ idempotencyKey, after }, signal).catch(() => null)
    if (progress === null) return
    report(progress)
    after = progress.fraction
  }
}
