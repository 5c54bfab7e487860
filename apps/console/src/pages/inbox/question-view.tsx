import { requesterText } from '@surehand/core/host'
import type { ReactNode } from 'react'
import type { Question } from '../../api/types.ts'
import { serverUrl } from '../../mount.ts'
import { Time } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { ValueView } from '../../ui/value-view.tsx'

/** A question of a run. It is answered on its own page, whose form knows every kind of answer. */
export function QuestionView({ question }: { readonly question: Question }): ReactNode {
  const { id, asks, tool, created_at, expires_at, draft } = question
  return (
    <article className="request" aria-label="Question">
      <h2>
        <UntrustedText form="spelled">{asks}</UntrustedText>
      </h2>
      <p className="quiet">
        Asked by <code>{tool}</code> for{' '}
        <UntrustedText form="spelled">{requesterText(question)}</UntrustedText>{' '}
        <Time at={created_at} />. Expires <Time at={expires_at} />.
      </p>
      {draft === undefined ? null : (
        <section>
          <h3>Proposed answer</h3>
          <ValueView value={draft} />
        </section>
      )}
      <div className="buttons">
        <a className="button primary" href={serverUrl(`questions/${encodeURIComponent(id)}`)}>
          Answer
        </a>
      </div>
    </article>
  )
}
