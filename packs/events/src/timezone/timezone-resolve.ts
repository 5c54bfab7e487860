import { defineTool } from '@surehand/core'
import { isTimeZone } from '@surehand/dates'
import { Rfc3339DateTime } from '@surehand/documents'
import { LatLng, offsetSecondsAt, timeZonesPort } from '@surehand/places'
import { z } from 'zod'

export const timezoneResolve = defineTool({
  id: 'timezone.resolve',
  title: 'Find the time zone of a place',
  category: 'integration',
  description:
    'The time zone at these coordinates and its UTC offset at that moment. If it cannot be found, your own time zone.',
  aliases: ['TimeZoneResolve', 'time_zone_resolve'],
  input: z.object({
    location: LatLng,
    timestamp: Rfc3339DateTime.optional().describe('The moment of the offset; the default is now.'),
  }),
  output: z.object({
    timeZoneId: z.string().describe('As in America/Los_Angeles.'),
    offsetSeconds: z.int(),
  }),
  contract: {
    effect: 'read',
    timeout: '3s',
    retries: 1,
    fallback: ({ input, caller, now }) => {
      const timeZoneId =
        caller.timeZone !== undefined && isTimeZone(caller.timeZone) ? caller.timeZone : 'UTC'
      return {
        timeZoneId,
        offsetSeconds: offsetSecondsAt(toEpochMs(input.timestamp, now()), timeZoneId),
      }
    },
  },
  ports: { timeZones: timeZonesPort },
  examples: [
    {
      name: 'San Francisco',
      input: { location: { lat: 37.7749, lng: -122.4194 }, timestamp: '2026-07-01T12:00:00Z' },
    },
  ],
  execute: ({ input, caller, ports, now, signal }) =>
    ports.timeZones.resolve(
      { tenant: caller.tenant, location: input.location, atMs: toEpochMs(input.timestamp, now()) },
      signal,
    ),
})

function toEpochMs(timestamp: string | undefined, nowMs: number): number {
  return timestamp === undefined ? nowMs : Date.parse(timestamp)
}
