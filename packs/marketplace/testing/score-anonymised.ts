import { anonymise } from '../src/discovery/anonymise.ts'
import type { PrivateText } from './private-texts.ts'

/** The share of what was removed by kind, and of needs that stayed whole. */
export type AnonymisedScore = {
  readonly names: number
  readonly phones: number
  readonly mails: number
  readonly ids: number
  readonly needs: number
}

/** Anonymises every text and counts what is left of its personal data. */
export function scoreAnonymised(texts: readonly PrivateText[]): AnonymisedScore {
  const left = texts.map((known) => ({ known, text: anonymise(known.text).text }))
  const share = (found: readonly boolean[]) =>
    found.length === 0 ? 1 : found.filter(Boolean).length / found.length
  const shareRemoved = (kind: 'names' | 'phones' | 'mails' | 'ids', leaks: Leaks) =>
    share(left.flatMap(({ known, text }) => known[kind].map((secret) => !leaks(text, secret))))
  return {
    names: shareRemoved('names', (text, name) =>
      new RegExp(`(?<![a-z])${fold(name)}(?![a-z])`).test(fold(text)),
    ),
    phones: shareRemoved('phones', leaksDigits),
    mails: shareRemoved(
      'mails',
      (text, mail) => text.includes('@') || fold(text).includes(fold(mail)),
    ),
    ids: shareRemoved('ids', leaksDigits),
    needs: share(left.map(({ known, text }) => keepsNeed(text, known.need))),
  }
}

type Leaks = (text: string, secret: string) => boolean

function leaksDigits(text: string, secret: string): boolean {
  return (
    text.replace(/\D/g, '').includes(secret.replace(/\D/g, '')) || fold(text).includes(fold(secret))
  )
}

function keepsNeed(text: string, need: string): boolean {
  const left = fold(text)
  return fold(need)
    .split(/[\s,]+/)
    .every((word) => left.includes(word))
}

function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replace(/’/g, "'").toLowerCase()
}
