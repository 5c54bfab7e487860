import { isToolError, type Run } from '@surehand/core'
import { atTime, instantText } from '@surehand/kit/dates'
import { directionsEstimate } from '../directions/directions-estimate.ts'
import type { CanonicalEvent } from '../extract/canonical-event.ts'
import type { LatLng } from '../lat-lng-shape.ts'
import { placesResolve } from '../places/places-resolve.ts'
import { timezoneResolve } from '../timezone/timezone-resolve.ts'
import { instantOf, isDate } from './moments.ts'

type Steps = Pick<Run<unknown>, 'step'>
type Place = NonNullable<Awaited<ReturnType<typeof resolve>>>

export type Placed = { readonly event: CanonicalEvent; readonly at: LatLng | undefined; readonly notes: readonly string[] }

export type Placing = {
  /** The zone in which its times were read where nobody named one: on the clock of the place they mean the same numbers. */
  readonly readIn: string
  readonly regionCode: string | undefined
  /** Of the steps, so that a second look has places of its own. */
  readonly prefix: string
}

/** Finds an event's place and the time zone there. What nobody knows stays as the person wrote it. */
export async function placeEvent(run: Steps, event: CanonicalEvent, placing: Placing): Promise<Placed> {
  const { location } = event
  if (location === undefined) return { event, at: undefined, notes: [] }
  const place = await resolve(run, location, placing)
  const at = place?.location ?? location.coordinates
  const located = place === null || place === undefined ? event : { ...event, location: withPlace(location, place) }
  if (at === undefined) return { event: located, at, notes: [] }
  const timeZone = await zoneAt(run, at, { event: located, prefix: placing.prefix })
  if (timeZone === undefined || timeZone === event.timezone) return { event: located, at, notes: [] }
  const moved = inZone(located, timeZone, placing.readIn)
  const notes = [`Its times are those of ${timeZone}, where it takes place.`]
  return { event: moved, at, notes }
}

async function resolve(run: Steps, { name, address }: NonNullable<CanonicalEvent['location']>, { prefix, regionCode }: Placing) {
  const query = (address === undefined ? name : `${name}, ${address}`).slice(0, 500)
  return run.step(`${prefix}place`, placesResolve, { query, ...(regionCode === undefined ? {} : { regionCode }) })
}

// of a town we know the middle, which is not where it takes place
function withPlace(location: NonNullable<CanonicalEvent['location']>, place: Place): NonNullable<CanonicalEvent['location']> {
  if (place.precision === 'town') return location
  return { name: location.name, address: location.address ?? place.formattedAddress, placeId: place.placeId, coordinates: place.location }
}

/** Undefined where nobody could say: then the person's own zone stays, and nothing is told as if it were the place's. */
async function zoneAt(
  run: Steps,
  at: LatLng,
  { event, prefix }: { readonly event: CanonicalEvent; readonly prefix: string },
): Promise<string | undefined> {
  const timestamp = instantText(instantOf(event.startTime, event.timezone), 'UTC')
  try {
    return (await run.step(`${prefix}zone`, timezoneResolve, { location: at, timestamp }, { degraded: 'refuse' })).timeZoneId
  } catch (thrown) {
    if (!isToolError(thrown) || thrown.code === 'TOOL_CANCELLED') throw thrown
    return undefined
  }
}

/** Eight in the evening is meant on the clock there; an instant that was given with its own zone stays the instant it is. */
export function inZone(event: CanonicalEvent, timeZone: string, readIn: string): CanonicalEvent {
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

/** The minutes to keep free for the way there. */
export async function travelMinutes(run: Steps, event: CanonicalEvent, { id, ...way }: Travel): Promise<number> {
  const departure = isDate(event.startTime)
    ? {}
    : { departureTime: instantText(instantOf(event.startTime, event.timezone), event.timezone) }
  return (await run.step(id, directionsEstimate, { ...way, ...departure })).travelBufferMinutes
}
