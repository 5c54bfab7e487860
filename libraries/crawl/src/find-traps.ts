import { createHash } from 'node:crypto'

/** Why a URL is not fetched although it is allowed. */
export type Trap = 'depth' | 'repeated_path' | 'too_many_queries' | 'repeated_content'

export type TrapLimits = {
  /** How many links away from the start a page may be. Endless "next" links end here. */
  readonly maxDepth: number
  /** How many different queries of one path are fetched: filters and sort orders multiply. */
  readonly maxQueriesPerPath: number
}

/** A path in which one segment occurs this often comes from links that are relative by mistake. */
const MAX_SEGMENT_REPEATS = 3
const MAX_SEGMENTS = 20
/** Pages of one shape that add nothing new, before the shape is left. */
const MAX_REPEATS_PER_SHAPE = 5

export type TrapDetector = {
  /** The trap that this URL belongs to, if any; a URL that is none is counted. */
  readonly check: (url: string, depth: number) => Trap | undefined
  /** Notes the text of a fetched page. Returns whether an earlier page had the same text. */
  readonly noteText: (url: string, text: string) => 'new' | 'repeated'
}

/** Recognises parts of a site that have no end. */
export function createTrapDetector(limits: TrapLimits): TrapDetector {
  const queries = new Map<string, Set<string>>()
  const texts = new Set<string>()
  const almostTexts = new Set<string>()
  const repeats = new Map<string, number>()
  return {
    check(url, depth) {
      const { pathname, search } = new URL(url)
      if (depth > limits.maxDepth) return 'depth'
      if (isRepetitive(pathname)) return 'repeated_path'
      if ((repeats.get(shapeOf(pathname)) ?? 0) >= MAX_REPEATS_PER_SHAPE) return 'repeated_content'
      if (search === '') return undefined
      const known = queries.get(pathname) ?? new Set()
      queries.set(pathname, known)
      if (!known.has(search) && known.size >= limits.maxQueriesPerPath) return 'too_many_queries'
      known.add(search)
      return undefined
    },
    noteText(url, text) {
      const hash = hashText(text)
      // A calendar without events differs only in its numbers, and has no end.
      const almost = hashText(text.replace(/\d+/g, '#'))
      const shape = shapeOf(new URL(url).pathname)
      if (almostTexts.has(`${shape} ${almost}`)) repeats.set(shape, (repeats.get(shape) ?? 0) + 1)
      almostTexts.add(`${shape} ${almost}`)
      const isKnown = texts.has(hash)
      texts.add(hash)
      return isKnown ? 'repeated' : 'new'
    },
  }
}

function isRepetitive(pathname: string): boolean {
  const segments = pathname.split('/').filter((segment) => segment !== '')
  if (segments.length > MAX_SEGMENTS) return true
  const counts = new Map<string, number>()
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1
    if (count >= MAX_SEGMENT_REPEATS) return true
    counts.set(segment, count)
  }
  return false
}

function shapeOf(pathname: string): string {
  return pathname.replace(/\d+/g, '#')
}

function hashText(text: string): string {
  return createHash('sha256').update(text.replace(/\s+/g, ' ')).digest('base64')
}
