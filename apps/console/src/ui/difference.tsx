import type { ReactNode } from 'react'
import { UntrustedText } from './untrusted-text.tsx'

type DifferenceProps = {
  /** Sentences, each of which says one thing. */
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Which sentences would go and which would come. */
export function Difference({ before, after }: DifferenceProps): ReactNode {
  const gone = before.filter((line) => !after.includes(line))
  const added = after.filter((line) => !before.includes(line))
  if (gone.length + added.length === 0) return <p className="quiet">Nothing is changed.</p>
  return (
    <ul className="difference">
      {gone.map((line) => (
        <li key={`- ${line}`}>
          <del>
            <UntrustedText>{line}</UntrustedText>
          </del>
        </li>
      ))}
      {added.map((line) => (
        <li key={`+ ${line}`}>
          <ins>
            <UntrustedText>{line}</UntrustedText>
          </ins>
        </li>
      ))}
    </ul>
  )
}

export function isSame({ before, after }: DifferenceProps): boolean {
  return before.length === after.length && before.every((line) => after.includes(line))
}
