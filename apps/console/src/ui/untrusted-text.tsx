import { visibleText } from '@surehand/core/host'
import type { ReactNode } from 'react'

// Core spells out every ⟨ of a text too, so this matches only what was inserted for a character.
const SPELLED_OUT = /(⟨U\+[0-9A-F]{4,6}⟩)/
// A word of two alphabets whose letters look alike, as in "pаypal" with a Cyrillic а.
const LOOK_ALIKE =
  /((?=[\p{L}\p{M}]*\p{Script=Latin})(?=[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Greek}])[\p{L}\p{M}]+)/u

type UntrustedTextProps = {
  readonly children: string
  /** `spelled`: core has spelled invisible characters out already, as in approval requests. */
  readonly form?: 'raw' | 'spelled'
}

/**
 * A text that an agent, a tool or a person outside wrote. It is shown as text only, apart from what
 * surrounds it; invisible and direction-changing characters and words of mixed alphabets are marked.
 */
export function UntrustedText({ children, form = 'raw' }: UntrustedTextProps): ReactNode {
  const text = form === 'spelled' ? children : visibleText(children)
  return <bdi className="untrusted">{text.split(SPELLED_OUT).flatMap(renderPart)}</bdi>
}

function renderPart(part: string, place: number): ReactNode {
  if (place % 2 === 1) return <mark key={place}>{part}</mark>
  return part.split(LOOK_ALIKE).map((piece, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other name
      <mark key={`${place}.${index}`} title="Letters of different alphabets that look alike">
        {piece}
      </mark>
    ) : (
      piece
    ),
  )
}

/** Below a field: what its text would hide, as a field cannot mark it. */
export function HiddenCharacters({ text }: { readonly text: string }): ReactNode {
  const lines = text.replaceAll('\n', ' ')
  return visibleText(lines) === lines ? null : (
    <p className="note warn">
      It hides characters: <UntrustedText>{lines}</UntrustedText>
    </p>
  )
}
