import { isRecord } from '@surehand/core/internal'
import type { Price } from './draft.ts'
import { readAmount } from './find-price.ts'
import type { Item } from './html/microdata.ts'
import type { HtmlFacts } from './html/read-html.ts'

/** An event in the structured data of a page. */
export type StructuredEvent = {
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
const MAX_DEPTH = 8

/** The event in a page's JSON-LD or microdata; of several, the first in the future. */
export function findStructuredEvent(
  { jsonLd, items }: Pick<HtmlFacts, 'jsonLd' | 'items'>,
  today: string,
): StructuredEvent | undefined {
  const nodes = [...jsonLd, ...items.map(toNode)].flatMap((value) => findEvents(value, 0))
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

function toNode({ type, properties }: Item): Node {
  return {
    '@type': type,
    ...Object.fromEntries(
      [...properties].map(([name, value]) => [
        name,
        typeof value === 'string' ? value : toNode(value),
      ]),
    ),
  }
}

function findEvents(value: unknown, depth: number): readonly Node[] {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(value)) return value.flatMap((one: unknown) => findEvents(one, depth + 1))
  if (!isRecord(value)) return []
  const types = [value['@type']].flat().filter((type) => typeof type === 'string')
  if (types.some((type) => EVENT.test(type))) return [value]
  return ['@graph', 'mainEntity', 'itemListElement', 'item', 'event', 'events', 'subEvent'].flatMap(
    (name) => findEvents(value[name], depth + 1),
  )
}

function readEvent(node: Node): StructuredEvent {
  const [title, description, start, end] = ['name', 'description', 'startDate', 'endDate'].map(
    (name) => readText(node[name]),
  )
  const [place, price, imageUrl] = [
    readPlace(first(node.location)),
    readPrice(first(node.offers)),
    readText(first(node.image)),
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

function readPlace(value: unknown): StructuredEvent['place'] {
  if (typeof value === 'string') return placeNamed(value)
  if (!isRecord(value) || /VirtualLocation$/.test(readText(value['@type']) ?? '')) return undefined
  const address = readAddress(value.address)
  const name = readText(value.name) ?? address
  if (name === undefined) return undefined
  const coordinates = readCoordinates(value.geo)
  return {
    name,
    ...(address === undefined || address === name ? {} : { address }),
    ...(coordinates === undefined ? {} : { coordinates }),
  }
}

function placeNamed(text: string): StructuredEvent['place'] {
  const name = stripTags(text)
  return name === '' ? undefined : { name }
}

function readAddress(value: unknown): string | undefined {
  const address = first(value)
  if (!isRecord(address)) return readText(address)
  const town = ['postalCode', 'addressLocality']
    .flatMap((name) => readText(address[name]) ?? [])
    .join(' ')
  const parts = [readText(address.streetAddress), town, readText(address.addressRegion)]
  const country = first(address.addressCountry)
  const all = [...parts, isRecord(country) ? readText(country.name) : readText(country)].filter(
    (part) => part !== undefined && part !== '',
  )
  return all.length === 0 ? undefined : [...new Set(all)].join(', ')
}

function readCoordinates(
  value: unknown,
): { readonly lat: number; readonly lng: number } | undefined {
  if (!isRecord(value)) return undefined
  const [lat, lng] = [Number(value.latitude ?? Number.NaN), Number(value.longitude ?? Number.NaN)]
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : undefined
}

function readPrice(value: unknown): Price | undefined {
  if (!isRecord(value)) return undefined
  const text = readText(value.price) ?? readText(value.lowPrice)
  const amount = text === undefined ? undefined : readAmount(text)
  if (amount === undefined) return undefined
  const currency = readText(value.priceCurrency)
  return {
    amount,
    ...(currency === undefined ? {} : { currency }),
    text: `${text} ${currency ?? ''}`.trim(),
  }
}

function first(value: unknown): unknown {
  return Array.isArray(value) ? (value[0] as unknown) : value
}

function readText(value: unknown): string | undefined {
  const one = first(value)
  if (typeof one === 'number') return String(one)
  if (isRecord(one)) return readText(one['@value'] ?? one.url ?? one['@id'])
  const text = typeof one === 'string' ? stripTags(one) : ''
  return text === '' ? undefined : text
}

function stripTags(text: string): string {
  return text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
