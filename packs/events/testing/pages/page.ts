import type { SeededRandom } from '@surehand/testing'
import type { Facts } from '../facts.ts'
import type { Flyer } from '../flyers/flyer.ts'
import type { Given } from '../generated-case.ts'

/** The input of a page layout: the facts, the visible lines and the site. */
export type PageSource = {
  readonly facts: Facts
  readonly shown: Flyer
  readonly url: string
  readonly site: string
  readonly random: SeededRandom
}

export type PageLayout = {
  readonly name: string
  /** True if the time is only in structured data, which cannot express "every Tuesday". */
  readonly isStructured: boolean
  readonly write: (source: PageSource) => Pick<Given, 'html' | 'oEmbed'>
}
