import { findTraps, requesterText, type Trap } from '@surehand/core/host'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { callQuery } from '../../api/queries.ts'
import type { Approval } from '../../api/types.ts'
import { DateTime, Time } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { ValueView } from '../../ui/value-view.tsx'
import { readShown, type ShownRequest } from './shown-request.ts'

const STATES: Readonly<Record<Approval['state'], string>> = {
  pending: 'Waits for a decision',
  approved: 'Approved',
  used: 'Approved',
  denied: 'Denied',
  expired: 'Expired: there was no decision in time',
  replaced: 'Replaced: the input was edited, and a new request has replaced this one',
}

/** Everything that the approver must see, nothing shortened; what is conspicuous comes first. */
export function ApprovalView({ approval }: { readonly approval: Approval }): ReactNode {
  const shown = readShown(approval)
  const isOpen = approval.state === 'pending'
  // A request of a thousand fields is not searched again with every tick of its times.
  const traps = useMemo(() => (isOpen ? findTraps(approval.shown) : []), [isOpen, approval.shown])
  return (
    <article className="request" aria-label="Approval request">
      <PartOf titles={shown.part_of ?? []} />
      <h2>
        <UntrustedText form="spelled">{shown.asks}</UntrustedText>
      </h2>
      {isOpen ? <Warnings shown={shown} traps={traps} /> : <Decided approval={approval} />}
      {shown.summary === undefined || Object.keys(shown.summary).length === 0 ? null : (
        <ValueView value={shown.summary} form="spelled" />
      )}
      <p className="quiet">
        Requested by <UntrustedText form="spelled">{requesterText(approval)}</UntrustedText>{' '}
        <Time at={approval.created_at} />
        {isOpen ? (
          <>
            . Expires <Time at={approval.expires_at} />.
          </>
        ) : (
          '.'
        )}
      </p>
      {approval.delegation === undefined ? null : (
        <p className="note">
          Delegated to <UntrustedText>{approval.delegation.to}</UntrustedText> by{' '}
          <UntrustedText>{approval.delegation.by}</UntrustedText>{' '}
          <Time at={approval.delegation.at} />.
        </p>
      )}
      <Changes changed={shown.changed ?? []} />
      {shown.facts_hash === undefined ? null : (
        <section>
          <h3>What is approved</h3>
          <ValueView value={shown.facts} form="spelled" />
        </section>
      )}
      <section>
        <h3>Input</h3>
        <ValueView value={shown.input} form="spelled" />
      </section>
      <Details approval={approval} shown={shown} />
    </article>
  )
}

function PartOf({ titles }: { readonly titles: readonly string[] }): ReactNode {
  if (titles.length === 0) return null
  return (
    <p className="quiet">
      Part of: <UntrustedText form="spelled">{titles.toReversed().join(' › ')}</UntrustedText>
    </p>
  )
}

type WarningsProps = { readonly shown: ShownRequest; readonly traps: readonly Trap[] }

function Warnings({ shown, traps }: WarningsProps): ReactNode {
  const { reversible, consequence, changed = [] } = shown
  return (
    <>
      {changed.length === 0 ? null : (
        <p className="note bad">
          This was approved before, but what it would do has changed since. Nothing has been done.
        </p>
      )}
      {reversible && consequence === undefined ? null : (
        <p className={reversible ? 'note' : 'note bad'}>
          {reversible ? '' : 'This cannot be undone. '}
          {consequence === undefined ? (
            ''
          ) : (
            <UntrustedText form="spelled">{consequence}</UntrustedText>
          )}
        </p>
      )}
      {traps.length === 0 ? null : (
        <div className="note warn">
          <strong>Look closely</strong>
          <ul>
            {traps.map(({ sentence, quotes }) => (
              <li key={sentence}>
                {sentence}
                {quotes.map((quote) => (
                  <div key={quote}>
                    <UntrustedText form="spelled">{quote}</UntrustedText>
                  </div>
                ))}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

function Decided({ approval }: { readonly approval: Approval }): ReactNode {
  const { decision, state } = approval
  return (
    <div className={decision?.verdict === 'approve' ? 'note good' : 'note'}>
      <p>
        <strong>{STATES[state]}</strong>
        {decision === undefined ? null : (
          <>
            {' '}
            by <UntrustedText>{decision.by}</UntrustedText> <Time at={decision.at} />
          </>
        )}
        .
      </p>
      {decision?.reason ? (
        <p>
          Reason: <UntrustedText>{decision.reason}</UntrustedText>
        </p>
      ) : null}
      {decision?.verdict === 'approve' ? <Afterwards callId={approval.call_id} /> : null}
    </div>
  )
}

/** What happened after the decision. */
function Afterwards({ callId }: { readonly callId: string }): ReactNode {
  const { data } = useQuery({
    ...callQuery(callId),
    refetchInterval: ({ state }) => (state.data?.metadata.outcome === 'accepted' ? 1_000 : false),
  })
  if (data === undefined) return null
  const { outcome } = data.metadata
  return (
    <p>
      {outcome === 'done' ? 'The call is done.' : null}
      {outcome === 'accepted' ? 'The call runs.' : null}
      {data.error === undefined ? null : <UntrustedText>{data.error.message}</UntrustedText>}{' '}
      <Link to="/calls/$id" params={{ id: callId }}>
        See the call
      </Link>
    </p>
  )
}

function Changes({ changed }: { readonly changed: ShownRequest['changed'] & object }): ReactNode {
  if (changed.length === 0) return null
  return (
    <section>
      <h3>What has changed</h3>
      <dl className="values">
        {changed.map(({ path, before, after }) => (
          <div key={path}>
            <dt>
              <UntrustedText form="spelled">{path === '' ? 'everything' : path}</UntrustedText>
            </dt>
            <dd>
              <s>
                <ValueView value={before ?? 'nothing'} form="spelled" />
              </s>{' '}
              → <ValueView value={after ?? 'nothing'} form="spelled" />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

type DetailsProps = { readonly approval: Approval; readonly shown: ShownRequest }

function Details({ approval, shown }: DetailsProps): ReactNode {
  const { tool, kind, created_at, expires_at, id, call_id, digest } = approval
  return (
    <details>
      <summary>Details</summary>
      <dl className="values">
        <div>
          <dt>Tool</dt>
          <dd>
            <UntrustedText form="spelled">{shown.title}</UntrustedText> (
            <code>
              <UntrustedText>{tool}</UntrustedText>
            </code>
            , version <UntrustedText form="spelled">{shown.version}</UntrustedText>)
          </dd>
        </div>
        <div>
          <dt>Effect</dt>
          <dd>
            {shown.effect}, {shown.reversible ? 'can be undone' : 'cannot be undone'}; needs {kind}
          </dd>
        </div>
        <div>
          <dt>Requested, open until</dt>
          <dd>
            <DateTime at={created_at} />, <DateTime at={expires_at} />
          </dd>
        </div>
        <div>
          <dt>Request, call</dt>
          <dd>
            <code>{id}</code>, <code>{call_id}</code>
          </dd>
        </div>
        <div>
          <dt>Digest of what is shown</dt>
          <dd>
            <code>{digest}</code>
          </dd>
        </div>
      </dl>
    </details>
  )
}
