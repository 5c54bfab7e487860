import { isRecord } from '@surehand/core/internal'
import type { Price } from './draft.ts'
import { readAmount } from './find-price.ts'
import type { Item } from './html/microdata.ts'
import type { HtmlFacts } from './html/read-html.ts'

/** What a page says of an event in a form made for machines. */
export type Structured = {
  readonly title?: string
  readonly description?: string
  readonly start?: string
  readonly end?: string
  readonly place?: {
    readonly name: string
    readonly address?: string
    readonly coordinates?: { readonly lat: number; readonly lng: number }
  }
  readonly price?: Price
  readonly imageUrl?: string
}

const EVENT = /(?:^|\/)(?:\w*Event|Festival|Hackathon|CourseInstance)$/
const DEEPEST = 8

/**
 * The event that a page's JSON-LD or microdata describes; of several the first that is still to
 * come.
 */
export function structuredEvent(
  { jsonLd, items }: Pick<HtmlFacts, 'jsonLd' | 'items'>,
  today: string,
): Structured | undefined {
  const nodes = [...jsonLd, ...items.map(asNode)].flatMap((value) => eventsIn(value, 0))
  const events = nodes
    .map(readEvent)
    .filter(({ title, start }) => title !== undefined || start !== undefined)
  return (
    events.find(({ start }) => start !== undefined && start.slice(0, 10) >= today) ??
    events.find(({ start }) => start !== undefined) ??
    events[0]
  )
}

type Node = Readonly<Record<string, unknown>>

function asNode({ type, properties }: Item): Node {
  return {
    '@type': type,
    ...Object.fromEntries(
      [...properties].map(([name, value]) => [
        name,
        typeof value === 'string' ? value : asNode(value),
      ]),
    ),
  }
}

function eventsIn(value: unknown, depth: number): readonly Node[] {
  if (depth > DEEPEST) return []
  if (Array.isArray(value)) return value.flatMap((one: unknown) => eventsIn(one, depth + 1))
  if (!isRecord(value)) return []
  const types = [value['@type']].flat().filter((type) => typeof type === 'string')
  if (types.some((type) => EVENT.test(type))) return [value]
  return ['@graph', 'mainEntity', 'itemListElement', 'item', 'event', 'events', 'subEvent'].flatMap(
    (name) => eventsIn(value[name], depth + 1),
  )
}

function readEvent(node: Node): Structured {
  const [title, description, start, end] = ['name', 'description', 'startDate', 'endDate'].map(
    (name) => textOf(node[name]),
  )
  const [place, price, imageUrl] = [
    placeOf(first(node.location)),
    priceOf(first(node.offers)),
    textOf(first(node.image)),
  ]
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(start === undefined ? {} : { start }),
    ...(end === undefined ? {} : { end }),
    ...(place === undefined ? {} : { place }),
    ...(price === undefined ? {} : { price }),
    ...(imageUrl === undefined ? {} : { imageUrl }),
  }
}

function placeOf(value: unknown): Structured['place'] {
  if (typeof value === 'string') return named(value)
  if (!isRecord(value) || /VirtualLocation$/.test(textOf(value['@type']) ?? '')) return undefined
  const address = addressOf(value.address)
  const name = textOf(value.name) ?? address
  if (name === undefined) return undefined
  const coordinates = coordinatesOf(value.geo)
  return {
    name,
    ...(address === undefined || address === name ? {} : { address }),
    ...(coordinates === undefined ? {} : { coordinates }),
  }
}

function named(text: string): Structured['place'] {
  const name = squeezed(text)
  return name === '' ? undefined : { name }
}

function addressOf(value: unknown): string | undefined {
  const address = first(value)
  if (!isRecord(address)) return textOf(address)
  const town = ['postalCode', 'addressLocality']
    .flatMap((name) => textOf(address[name]) ?? [])
    .join(' ')
  const parts = [textOf(address.streetAddress), town, textOf(address.addressRegion)]
  const country = first(address.addressCountry)
  const all = [...parts, isRecord(country) ? textOf(country.name) : textOf(country)].filter(
    (part) => part !== undefined && part !== '',
  )
  return all.length === 0 ? undefined : [...new Set(all)].join(', ')
}

function coordinatesOf(value: unknown): { readonly lat: number; readonly lng: number } | undefined {
  if (!isRecord(value)) return undefined
  const [lat, lng] = [Number(value.latitude ?? Number.NaN), Number(value.longitude ?? Number.NaN)]
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : undefined
}

function priceOf(value: unknown): Price | undefined {
  if (!isRecord(value)) return undefined
  const text = textOf(value.price) ?? textOf(value.lowPrice)
  const amount = text === undefined ? undefined : readAmount(text)
  if (amount === undefined) return undefined
  const currency = textOf(value.priceCurrency)
  return {
    amount,
    ...(currency === undefined ? {} : { currency }),
    text: `${text} ${currency ?? ''}`.trim(),
  }
}

function first(value: unknown): unknown {
  return Array.isArray(value) ? (value[0] as unknown) : value
}

function textOf(value: unknown): string | undefined {
  const one = first(value)
  if (typeof one === 'number') return String(one)
  if (isRecord(one)) return textOf(one['@value'] ?? one.url ?? one['@id'])
  const text = typeof one === 'string' ? squeezed(one) : ''
  return text === '' ? undefined : text
}

function squeezed(text: string): string {
  return text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
