import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { endOtherSessions, endSession, sessionsQuery } from '../../api/account-queries.ts'
import type { OpenSession } from '../../api/types.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { Failure, QueryState } from '../../ui/query-state.tsx'
import { Time } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'

/** Where a person is signed in; without a principal, the person who looks. */
export function Sessions({ principal }: { readonly principal?: string }): ReactNode {
  const query = sessionsQuery(principal)
  const sessions = useInfiniteQuery(query)
  const client = useQueryClient()
  const endOthers = useMutation({
    mutationFn: () => endOtherSessions(principal),
    onSettled: () => client.invalidateQueries({ queryKey: query.queryKey }),
  })
  const listed = sessions.data?.pages.flatMap(({ items }) => items) ?? []
  const hasCurrent = listed.some(({ is_current }) => is_current)
  const hasOthers = listed.some(({ is_current }) => !is_current)
  return (
    <section>
      <h2>Sessions</h2>
      <QueryState
        query={sessions}
        loading="Loading the sessions"
        empty={() => (listed.length === 0 ? <p>No session is open.</p> : undefined)}
      >
        {() => (
          <ul className="list">
            {listed.map((session) => (
              <SessionEntry key={session.id} session={session} principal={principal} />
            ))}
          </ul>
        )}
      </QueryState>
      <MoreButton query={sessions} />
      {hasOthers ? (
        <div className="buttons">
          <ConfirmButton
            name={hasCurrent ? 'End all other sessions' : 'End all sessions'}
            question="They end at once, on every node. The person has to sign in again."
            onConfirm={() => endOthers.mutate()}
          />
        </div>
      ) : null}
      {endOthers.error === null ? null : <Failure error={endOthers.error} />}
    </section>
  )
}

type SessionEntryProps = {
  readonly session: OpenSession
  readonly principal: string | undefined
}

const SIGNED_IN_WITH = {
  token: 'a token',
  link: 'a link',
  issuer: 'a token of another issuer',
} as const

function SessionEntry({ session, principal }: SessionEntryProps): ReactNode {
  const { id, client: kind, signed_in_with, started_at, last_used_at, expires_at } = session
  const client = useQueryClient()
  const end = useMutation({
    mutationFn: () => endSession(id, principal),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery(principal).queryKey }),
  })
  return (
    <li>
      <strong>
        <UntrustedText>{kind}</UntrustedText>
      </strong>{' '}
      {session.is_current ? <span className="tag good">this session</span> : null}
      <p className="quiet">
        signed in with {SIGNED_IN_WITH[signed_in_with]} <Time at={started_at} />, last used{' '}
        <Time at={last_used_at} />, expires <Time at={expires_at} />
      </p>
      {session.is_current ? null : (
        <ConfirmButton
          name={`End ${kind}`}
          question="It ends at once. The person has to sign in again."
          onConfirm={() => end.mutate()}
        />
      )}
      {end.error === null ? null : <Failure error={end.error} />}
    </li>
  )
}
