import type { SeededRandom } from '@surehand/testing'
import { fullAnswer } from '../answer.ts'
import type { Facts } from '../facts.ts'
import { makeFlyer } from '../flyers/flyer.ts'
import type { Answer, Given } from '../generated-case.ts'
import type { PageLayout } from './page.ts'

export type Page = { readonly given: Given; readonly answer: Answer; readonly timeZone: string }

const SITES = [
  'Lumen Kultur',
  'Mill Point',
  'Halle Nord',
  'Stadtkalender',
  'What’s On',
  'Agenda Local',
]

/** A page about these facts. */
export function makePage(random: SeededRandom, facts: Facts, layout: PageLayout): Page {
  const about = layout.isStructured ? asOnce(facts) : facts
  const site = random.pick(SITES)
  const url = `https://${random.pick(['events', 'www', 'kalender'])}.example.org/${about.when.day.slice(0, 4)}/${slug(about.occasion.title)}`
  const shown = makeFlyer(random, about)
  // Only structured data has an offset, which makes times of another zone readable.
  const isAway = layout.name.startsWith('json-ld') && about.when.kind === 'once' && random.is(0.3)
  const timeZone = isAway ? otherTimeZone(about.home.timeZone) : about.home.timeZone
  return {
    given: { ...layout.write({ facts: about, shown, url, site, random }), url },
    answer: fullAnswer(about),
    timeZone,
  }
}

function asOnce(facts: Facts): Facts {
  const { when } = facts
  if (when.kind !== 'weekly' && when.kind !== 'monthly') return facts
  return { ...facts, when: { kind: 'once', day: when.day, time: when.time } }
}

function otherTimeZone(timeZone: string): string {
  return timeZone.startsWith('America/') ? 'Europe/Berlin' : 'America/New_York'
}

function slug(title: string): string {
  return title
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^\p{Letter}\d]+/gu, '-')
    .toLowerCase()
}
