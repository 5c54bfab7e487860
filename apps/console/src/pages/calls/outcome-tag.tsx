import type { ReactNode } from 'react'
import { UntrustedText } from '../../ui/untrusted-text.tsx'

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
  return (
    <span className={`tag ${TONES[outcome] ?? ''}`}>
      <UntrustedText>{outcome.replaceAll('_', ' ')}</UntrustedText>
    </span>
  )
}
