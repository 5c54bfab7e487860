import { findTraps } from '@surehand/core/worker-entry'
import { oneLine } from './shown.ts'

/** Why what is shown deserves a close look. */
export function trapLines({ shown }: { readonly shown: string }): readonly string[] {
  return findTraps(shown).flatMap(({ sentence, quotes }) => [
    `!! ${sentence}`,
    ...quotes.map((quote) => `     ${oneLine(quote)}`),
  ])
}
