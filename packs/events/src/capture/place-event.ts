import { isToolError, type Run } from '@surehand/core'
import { atTime, instantText } from '@surehand/dates'
import type { LatLng } from '@surehand/places'
import { directionsEstimate } from '../directions/directions-estimate.ts'
import type { CanonicalEvent } from '../extract/canonical-event.ts'
import { placesResolve } from '../places/places-resolve.ts'
import { timezoneResolve } from '../timezone/timezone-resolve.ts'
import { isDate, parseInstant } from './time-span.ts'

type Steps = Pick<Run<unknown>, 'step'>
type Place = NonNullable<Awaited<ReturnType<typeof findPlace>>>

export type Placed = {
  readonly event: CanonicalEvent
  readonly at: LatLng | undefined
  readonly notes: readonly string[]
}

export type Placing = {
  /**
   * The zone in which the times were read. They are local times of the place, so they keep their
   * wall-clock value there. Undefined if the source named a zone.
   */
  readonly readIn: string | undefined
  readonly regionCode: string | undefined
  /** Prefix of the step paths, so that a second lookup has different ones. */
  readonly prefix: string
}

/** Finds the place of an event and its time zone. Unknown details stay as they were written. */
export async function placeEvent(
  run: Steps,
  event: CanonicalEvent,
  placing: Placing,
): Promise<Placed> {
  const { location } = event
  if (location === undefined) return { event, at: undefined, notes: [] }
  const resolved = await unlessUnknown(() => findPlace(run, location, placing))
  const place = resolved === UNKNOWN ? undefined : resolved
  const unplaced = resolved === UNKNOWN ? ['Its place could not be looked up.'] : []
  const at = place?.location ?? location.coordinates
  const located =
    place === null || place === undefined
      ? event
      : { ...event, location: withPlace(location, place) }
  if (at === undefined) return { event: located, at, notes: unplaced }
  const timeZone = await findTimeZone(run, at, { event: located, prefix: placing.prefix })
  if (timeZone === undefined || timeZone === event.timezone)
    return { event: located, at, notes: unplaced }
  const moved = moveToZone(located, timeZone, placing.readIn)
  const notes = [...unplaced, `Its times are local times of the place (${timeZone}).`]
  return { event: moved, at, notes }
}

const UNKNOWN = Symbol('unknown')

// Optional details: their failure must not fail the capture of the event.
async function unlessUnknown<T>(find: () => Promise<T>): Promise<T | typeof UNKNOWN> {
  try {
    return await find()
  } catch (thrown) {
    if (!isToolError(thrown) || thrown.code === 'TOOL_CANCELLED') throw thrown
    return UNKNOWN
  }
}

async function findPlace(
  run: Steps,
  { name, address }: NonNullable<CanonicalEvent['location']>,
  { prefix, regionCode }: Placing,
) {
  const query = (address === undefined ? name : `${name}, ${address}`).slice(0, 500)
  return run.step(`${prefix}place`, placesResolve, {
    query,
    ...(regionCode === undefined ? {} : { regionCode }),
  })
}

// For a town only its centre is known, which is not the event's location.
function withPlace(
  location: NonNullable<CanonicalEvent['location']>,
  place: Place,
): NonNullable<CanonicalEvent['location']> {
  if (place.precision === 'town') return location
  return {
    name: location.name,
    address: location.address ?? place.formattedAddress,
    placeId: place.placeId,
    coordinates: place.location,
  }
}

/** Undefined if unknown: the person's own zone stays, and is not shown as that of the place. */
async function findTimeZone(
  run: Steps,
  at: LatLng,
  { event, prefix }: { readonly event: CanonicalEvent; readonly prefix: string },
): Promise<string | undefined> {
  const timestamp = instantText(parseInstant(event.startTime, event.timezone), 'UTC')
  const zone = await unlessUnknown(() =>
    run.step(`${prefix}zone`, timezoneResolve, { location: at, timestamp }, { degraded: 'refuse' }),
  )
  return zone === UNKNOWN ? undefined : zone.timeZoneId
}

/** Keeps the wall-clock time in the zone of the place; a time with its own offset stays that instant. */
export function moveToZone(
  event: CanonicalEvent,
  timeZone: string,
  readIn: string | undefined,
): CanonicalEvent {
  const move = (text: string): string => {
    if (isDate(text)) return text
    if (event.timezone !== readIn) return instantText(parseInstant(text, event.timezone), timeZone)
    const wall = instantText(parseInstant(text, event.timezone), event.timezone)
    return instantText(atTime(wall.slice(0, 10), wall.slice(11, 16), timeZone), timeZone)
  }
  return {
    ...event,
    startTime: move(event.startTime),
    ...(event.endTime === undefined ? {} : { endTime: move(event.endTime) }),
    timezone: timeZone,
  }
}

type Trip = {
  readonly origin: LatLng
  readonly destination: LatLng
  readonly mode: 'driving' | 'transit' | 'walking'
  readonly id: string
}

/** The minutes to keep free for travel; undefined when unknown. */
export async function travelMinutes(
  run: Steps,
  event: CanonicalEvent,
  { id, ...trip }: Trip,
): Promise<number | undefined> {
  const departure = isDate(event.startTime)
    ? {}
    : { departureTime: instantText(parseInstant(event.startTime, event.timezone), event.timezone) }
  const found = await unlessUnknown(() =>
    run.step(id, directionsEstimate, { ...trip, ...departure }),
  )
  return found === UNKNOWN ? undefined : found.travelBufferMinutes
}
