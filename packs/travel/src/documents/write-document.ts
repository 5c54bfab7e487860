import { z } from 'zod'
import { planNotFound } from '../plans/change-plan.ts'
import type { PlansPort } from '../plans/plans-port.ts'
import type { BookedStay, StaysPort } from '../stays/stays-port.ts'
import type { TravelContext } from '../travel-context.ts'
import { buildItinerary } from './itinerary.ts'
import { planCalendar } from './plan-calendar.ts'
import { type MapPorts, planMaps } from './plan-maps.ts'
import { planMarkdown } from './plan-markdown.ts'
import { type PageOptions, planPage } from './plan-page.ts'

export const DOCUMENT_FORMATS = ['markdown', 'icalendar', 'html'] as const
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number]

/** A plan written out. */
export const PlanDocument = z.object({
  planId: z.string(),
  title: z.string(),
  format: z.enum(DOCUMENT_FORMATS),
  mediaType: z.string(),
  fileName: z.string(),
  content: z.string(),
  bookingsKnown: z
    .boolean()
    .describe('False: the bookings could not be read, so something may be booked.'),
})
export type PlanDocument = z.output<typeof PlanDocument>

export type DocumentPorts = MapPorts & {
  readonly plans: PlansPort
  readonly stays: StaysPort
}

export type DocumentRequest = {
  readonly planId: string
  readonly format: DocumentFormat
  readonly page?: Omit<PageOptions, 'maps'>
  readonly nowMs: number
}

const FILES = {
  markdown: { mediaType: 'text/markdown; charset=utf-8', ending: 'md' },
  icalendar: { mediaType: 'text/calendar; charset=utf-8', ending: 'ics' },
  html: { mediaType: 'text/html; charset=utf-8', ending: 'html' },
} as const

/** Writes a plan in one of the formats. Throws `planNotFound` where the person has none. */
export async function writeDocument(
  context: TravelContext,
  { planId, format, page = { isShared: false }, nowMs }: DocumentRequest,
  { ports, signal }: { readonly ports: DocumentPorts; readonly signal: AbortSignal },
): Promise<PlanDocument> {
  const plan = await ports.plans.get({ ...context, planId }, signal)
  if (plan === undefined) throw planNotFound(planId)
  const bookings = await listBookings(context, ports.stays, signal)
  const itinerary = buildItinerary(plan, bookings ?? [])
  const { mediaType, ending } = FILES[format]
  const write = async (): Promise<string> => {
    switch (format) {
      case 'markdown':
        return planMarkdown(itinerary)
      case 'icalendar':
        return planCalendar(itinerary, nowMs)
      case 'html':
        return planPage(itinerary, {
          ...page,
          maps: await planMaps(itinerary, context, { ports, signal }),
        })
    }
  }
  return {
    planId,
    title: plan.title,
    format,
    mediaType,
    fileName: `${toFileName(plan.title)}.${ending}`,
    content: await write(),
    bookingsKnown: bookings !== undefined,
  }
}

/** Undefined where the provider cannot be asked: a plan can be read without it. */
async function listBookings(
  context: TravelContext,
  stays: StaysPort,
  signal: AbortSignal,
): Promise<readonly BookedStay[] | undefined> {
  try {
    return await stays.list(context, signal)
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

function toFileName(title: string): string {
  const plain = title
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .toLowerCase()
  return plain === '' ? 'plan' : plain.slice(0, 60)
}
