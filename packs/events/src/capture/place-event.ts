import { isToolError, type Run } from '@surehand/core'
import { atTime, instantText } from '@surehand/dates'
import type { LatLng } from '@surehand/places'
import { directionsEstimate } from '../directions/directions-estimate.ts'
import type { CanonicalEvent } from '../extract/canonical-event.ts'
import { placesResolve } from '../places/places-resolve.ts'
import { timezoneResolve } from '../timezone/timezone-resolve.ts'
import { instantOf, isDate } from './moments.ts'

type Steps = Pick<Run<unknown>, 'step'>
type Place = NonNullable<Awaited<ReturnType<typeof resolve>>>

export type Placed = {
  readonly event: CanonicalEvent
  readonly at: LatLng | undefined
  readonly notes: readonly string[]
}

export type Placing = {
  /**
   * The zone in which its times were read: on the clock of the place they mean the same numbers.
   * None where the source named one.
   */
  readonly readIn: string | undefined
  readonly regionCode: string | undefined
  /** Prefix of the step paths, so that a second lookup has paths of its own. */
  readonly prefix: string
}

/** Finds an event's place and its time zone. What is unknown stays as the person wrote it. */
export async function placeEvent(
  run: Steps,
  event: CanonicalEvent,
  placing: Placing,
): Promise<Placed> {
  const { location } = event
  if (location === undefined) return { event, at: undefined, notes: [] }
  const resolved = await orUnknown(() => resolve(run, location, placing))
  const place = resolved === UNKNOWN ? undefined : resolved
  const unplaced = resolved === UNKNOWN ? ['Its place could not be looked up.'] : []
  const at = place?.location ?? location.coordinates
  const located =
    place === null || place === undefined
      ? event
      : { ...event, location: withPlace(location, place) }
  if (at === undefined) return { event: located, at, notes: unplaced }
  const timeZone = await zoneAt(run, at, { event: located, prefix: placing.prefix })
  if (timeZone === undefined || timeZone === event.timezone)
    return { event: located, at, notes: unplaced }
  const moved = inZone(located, timeZone, placing.readIn)
  const notes = [...unplaced, `Its times are those of ${timeZone}, where it takes place.`]
  return { event: moved, at, notes }
}

const UNKNOWN = Symbol('unknown')

// Optional details must not keep an event from the person.
async function orUnknown<T>(find: () => Promise<T>): Promise<T | typeof UNKNOWN> {
  try {
    return await find()
  } catch (thrown) {
    if (!isToolError(thrown) || thrown.code === 'TOOL_CANCELLED') throw thrown
    return UNKNOWN
  }
}

async function resolve(
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

/**
 * Undefined when unknown: then the person's own zone stays, and is not presented as the place's.
 */
async function zoneAt(
  run: Steps,
  at: LatLng,
  { event, prefix }: { readonly event: CanonicalEvent; readonly prefix: string },
): Promise<string | undefined> {
  const timestamp = instantText(instantOf(event.startTime, event.timezone), 'UTC')
  const zone = await orUnknown(() =>
    run.step(`${prefix}zone`, timezoneResolve, { location: at, timestamp }, { degraded: 'refuse' }),
  )
  return zone === UNKNOWN ? undefined : zone.timeZoneId
}

/**
 * A wall time is meant in the place's zone; an instant given with its own offset stays that
 * instant.
 */
export function inZone(
  event: CanonicalEvent,
  timeZone: string,
  readIn: string | undefined,
): CanonicalEvent {
  const move = (text: string): string => {
    if (isDate(text)) return text
    if (event.timezone !== readIn) return instantText(instantOf(text, event.timezone), timeZone)
    const wall = instantText(instantOf(text, event.timezone), event.timezone)
    return instantText(atTime(wall.slice(0, 10), wall.slice(11, 16), timeZone), timeZone)
  }
  return {
    ...event,
    startTime: move(event.startTime),
    ...(event.endTime === undefined ? {} : { endTime: move(event.endTime) }),
    timezone: timeZone,
  }
}

type Travel = {
  readonly origin: LatLng
  readonly destination: LatLng
  readonly mode: 'driving' | 'transit' | 'walking'
  readonly id: string
}

/** The minutes to keep free for travel; undefined when unknown. */
export async function travelMinutes(
  run: Steps,
  event: CanonicalEvent,
  { id, ...way }: Travel,
): Promise<number | undefined> {
  const departure = isDate(event.startTime)
    ? {}
    : { departureTime: instantText(instantOf(event.startTime, event.timezone), event.timezone) }
  const found = await orUnknown(() => run.step(id, directionsEstimate, { ...way, ...departure }))
  return found === UNKNOWN ? undefined : found.travelBufferMinutes
}
