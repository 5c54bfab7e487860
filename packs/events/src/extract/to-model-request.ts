import { dayOf } from '@surehand/dates'
import type { ModelRequest } from './event-model-port.ts'
import type { ExtractSource } from './extract-event.ts'
import { readPageFacts } from './page-facts.ts'

type Asked = Pick<ModelRequest, 'tenant' | 'timeZone' | 'image'> & {
  readonly now: number
  readonly locale: string | undefined
}

const LOCALE = /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,3}$/i

/** What a model is sent of a source: its text, its picture, and what is known of the person. */
export function toModelRequest(source: ExtractSource, asked: Asked): ModelRequest {
  const { tenant, image, now, timeZone, locale } = asked
  const today = dayOf(now, timeZone)
  return {
    tenant,
    text: toText(source, today),
    today,
    timeZone,
    ...(image === undefined ? {} : { image }),
    ...(locale !== undefined && LOCALE.test(locale) ? { locale } : {}),
  }
}

function toText({ text, page }: ExtractSource, today: string): string {
  if (page === undefined) return text ?? ''
  const facts = readPageFacts(page, today)
  return [
    ...facts.titles,
    facts.structured === undefined ? '' : JSON.stringify(facts.structured),
    facts.text,
  ].join('\n')
}
