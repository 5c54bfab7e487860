import type { SeededRandom } from '@surehand/testing'
import type { Facts } from '../facts.ts'
import type { Flyer } from '../flyers/flyer.ts'
import type { Given } from '../made-case.ts'

/** What a page is written from: the facts, the lines a visitor sees, and where it stands. */
export type PageSource = {
  readonly facts: Facts
  readonly shown: Flyer
  readonly url: string
  readonly site: string
  readonly chance: SeededRandom
}

export type PageLayout = {
  readonly name: string
  /** Says when in a machine's form, which has no words for "every Tuesday". */
  readonly isStructured: boolean
  readonly write: (source: PageSource) => Pick<Given, 'html' | 'oEmbed'>
}
