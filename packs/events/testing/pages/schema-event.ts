import type { SeededRandom } from '@surehand/testing'
import { addDays } from '../calendar-day.ts'
import type { Facts } from '../facts.ts'
import { instantOf, offsetText } from '../zone-offset.ts'

export type Schema = Readonly<Record<string, unknown>>

/** The event in schema.org's vocabulary, with times as sites write them: offset, UTC or neither. */
export function schemaEvent(facts: Facts, random: SeededRandom): Schema {
  const { occasion, tagline, venue, address, city, price, home } = facts
  const [street = address] = address.split(', ')
  return {
    '@type': random.pick(['Event', 'MusicEvent', 'SocialEvent']),
    name: occasion.title,
    description: tagline,
    ...dates(facts, random.pick(['offset', 'offset', 'utc'])),
    eventStatus: 'https://schema.org/EventScheduled',
    location: {
      '@type': 'Place',
      name: venue.name,
      address: random.is(0.5)
        ? address
        : {
            '@type': 'PostalAddress',
            streetAddress: street,
            addressLocality: city,
            addressCountry: home.region,
          },
    },
    ...(price && {
      offers: { '@type': 'Offer', price: String(price.amount), priceCurrency: price.currency },
    }),
  }
}

export type ClockForm = 'offset' | 'utc'

/** startDate and endDate; an all-day event has dates without times. */
export function dates(
  { when, home }: Facts,
  form: ClockForm,
): { startDate: string; endDate?: string } {
  const at = (day: string, time: string): string => {
    const instant = instantOf(day, time, home.timeZone)
    return form === 'utc'
      ? new Date(instant).toISOString()
      : `${day}T${time}:00${offsetText(instant, home.timeZone)}`
  }
  switch (when.kind) {
    case 'once':
      return {
        startDate: at(when.day, when.time),
        ...(when.endTime && { endDate: at(when.day, when.endTime) }),
      }
    case 'all-day':
      return { startDate: when.day }
    case 'days':
      return { startDate: when.day, endDate: when.endDay }
    case 'weekly':
    case 'monthly':
      return { startDate: at(when.day, when.time) }
  }
}

/** Breadcrumbs, which have a date in their URL and are not an event. */
export function breadcrumbs(facts: Facts, random: SeededRandom): Schema {
  const day = addDays(facts.when.day, random.whole(10, 50))
  return {
    '@type': 'BreadcrumbList',
    itemListElement: [
      {
        '@type': 'ListItem',
        position: 1,
        name: 'Events',
        item: `https://example.org/events/${day}`,
      },
    ],
  }
}
