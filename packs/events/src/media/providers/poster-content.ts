import { sha256 } from '@surehand/core/internal'
import type { PosterOrder } from '../posters-port.ts'
import type { Fonts } from './fonts.ts'

/** The texts of a poster, and random numbers that depend on its title. */
export type PosterContent = {
  readonly title: string
  /** The first line of the description if it is short: usually the date. */
  readonly lead: string
  readonly body: string
  readonly direction: 'ltr' | 'rtl'
  /** The next number from 0 to 1, the same sequence for the same title. */
  readonly random: () => number
}

const LEAD_CHARACTERS = 64

export function posterContent(
  { title, description = '' }: PosterOrder,
  fonts: Fonts,
): PosterContent {
  const [first = '', ...rest] = fonts.drawable(description).split('\n')
  const isLead = first.length <= LEAD_CHARACTERS
  return {
    title: fonts.drawable(title),
    lead: isLead ? first : '',
    body: (isLead ? rest : [first, ...rest]).join('\n').trim(),
    direction: /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(title) ? 'rtl' : 'ltr',
    random: seededRandom(title),
  }
}

function seededRandom(title: string): () => number {
  let seed = Number.parseInt(sha256(title).slice(0, 8), 16)
  return () => {
    // mulberry32: small, and good enough to place shapes.
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
