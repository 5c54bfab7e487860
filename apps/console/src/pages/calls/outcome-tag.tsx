import type { ReactNode } from 'react'

const TONES: Readonly<Record<string, string>> = {
  done: 'good',
  failed: 'bad',
  denied: 'bad',
  unknown: 'bad',
  effect_started: 'warn',
  pending: 'warn',
}

/** How a call ended, or what it waits for. */
export function OutcomeTag({ outcome }: { readonly outcome: string }): ReactNode {
  return <span className={`tag ${TONES[outcome] ?? ''}`}>{outcome.replaceAll('_', ' ')}</span>
}
