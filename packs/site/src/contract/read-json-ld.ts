import { digitsOf } from '../format-money.ts'

const SCRIPT =
  /<script\b[^>]*\btype\s*=\s*["']?application\/ld\+json["']?[^>]*>([\s\S]*?)<\/script/gi
const MOST_NODES = 200

export type LinkedNode = Readonly<Record<string, unknown>> & { readonly types: readonly string[] }

/** The objects of a page's JSON-LD with their types; broken scripts are left out. */
export function readJsonLd(html: string): readonly LinkedNode[] {
  const nodes: LinkedNode[] = []
  for (const [, text = ''] of html.matchAll(SCRIPT)) collect(parseJson(text), nodes, 0)
  return nodes
}

function collect(value: unknown, nodes: LinkedNode[], depth: number): void {
  if (nodes.length >= MOST_NODES || depth > 6) return
  if (Array.isArray(value)) {
    for (const one of value) collect(one, nodes, depth + 1)
    return
  }
  if (typeof value !== 'object' || value === null) return
  const node = value as Record<string, unknown>
  const types = [node['@type']].flat().filter((type): type is string => typeof type === 'string')
  if (types.length > 0) nodes.push({ ...node, types })
  collect(node['@graph'], nodes, depth + 1)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type LinkedProduct = {
  readonly productId: string | undefined
  /** Minor units. */
  readonly price: number | undefined
  readonly currency: string | undefined
}

/** The product that a page describes, from its JSON-LD. */
export function readProduct(nodes: readonly LinkedNode[]): LinkedProduct | undefined {
  const product = nodes.find(({ types }) => types.some((type) => /^Product/.test(type)))
  if (product === undefined) return undefined
  const [offer] = [product.offers].flat() as (Record<string, unknown> | undefined)[]
  const currency = text(offer?.priceCurrency)
  const price = Number(offer?.lowPrice ?? offer?.price ?? Number.NaN)
  return {
    productId: text(product.productID) ?? text(product.sku),
    price:
      currency === undefined || Number.isNaN(price)
        ? undefined
        : Math.round(price * 10 ** digitsOf(currency)),
    currency,
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
