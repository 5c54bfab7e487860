import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { readProof } from '../../api/administration-queries.ts'
import {
  auditKeysQuery,
  callQuery,
  callRecordsQuery,
  sessionQuery,
  treeQuery,
} from '../../api/queries.ts'
import type { AuditRecord, CallEnvelope, RunTree } from '../../api/types.ts'
import { serverUrl } from '../../mount.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Failure, QueryState } from '../../ui/query-state.tsx'
import { DateTime } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { ValueView } from '../../ui/value-view.tsx'
import { verifyProof } from '../audit/verify-export.ts'
import { OutcomeTag } from './outcome-tag.tsx'
import { Pipeline } from './pipeline.tsx'
import { SettleForm } from './settle-form.tsx'

/** One call: its stored answer, what the audit says of it, its steps, and how to settle it. */
export function CallPage(): ReactNode {
  const { id } = useParams({ from: '/calls/$id' })
  const session = useQuery(sessionQuery)
  return (
    <>
      <p>
        <Link to="/calls">‹ Calls</Link>
      </p>
      <h1>Call</h1>
      <p className="quiet">
        <Code>{id}</Code>
      </p>
      <Answer callId={id} />
      <Steps callId={id} />
      {session.data?.is_administrator ? (
        <>
          <Pipeline callId={id} />
          <Records callId={id} />
        </>
      ) : null}
      <section>
        <h2>Fetch the answer</h2>
        <Curl callId={id} />
      </section>
    </>
  )
}

function Answer({ callId }: { readonly callId: string }): ReactNode {
  const call = useQuery({
    ...callQuery(callId),
    refetchInterval: ({ state }) => (isRunning(state.data) ? 1_000 : false),
  })
  // The answers of plain reads are not stored: of these only the audit knows.
  if (call.error !== null && 'status' in call.error && call.error.status === 404)
    return (
      <p className="note">No answer is stored: it was a read or a refusal, or it was pruned.</p>
    )
  return (
    <section>
      <h2>Answer</h2>
      <QueryState query={call} loading="Loading the answer">
        {(envelope) => <EnvelopeView envelope={envelope} callId={callId} />}
      </QueryState>
    </section>
  )
}

function isRunning(envelope: CallEnvelope | undefined): boolean {
  return envelope?.metadata.outcome === 'accepted'
}

type EnvelopeViewProps = { readonly envelope: CallEnvelope; readonly callId: string }

function EnvelopeView({ envelope, callId }: EnvelopeViewProps): ReactNode {
  const { data, error, metadata } = envelope
  const { outcome, pending, tool_info: tool } = metadata
  return (
    <>
      <p>
        <OutcomeTag outcome={outcome} /> <UntrustedText>{tool.name}</UntrustedText>
      </p>
      {error === undefined ? null : (
        <p className={outcome === 'pending' ? 'note warn' : 'note bad'}>
          <UntrustedText>{error.message}</UntrustedText>
        </p>
      )}
      {pending === undefined ? null : (
        <p>
          <Link to="/" search={{ item: pending.approval_id }}>
            Open the approval request
          </Link>
        </p>
      )}
      {data === null || data === undefined ? null : <ValueView value={data} />}
      {outcome === 'unknown' ? <SettleForm callId={callId} /> : null}
    </>
  )
}

function Steps({ callId }: { readonly callId: string }): ReactNode {
  const { data } = useQuery(treeQuery(callId))
  if (data === undefined || data.steps.length === 0) return null
  return (
    <section>
      <h2>Steps</h2>
      <StepList steps={data.steps} />
    </section>
  )
}

function StepList({ steps }: { readonly steps: Readonly<RunTree['steps']> }): ReactNode {
  return (
    <ul className="tree">
      {steps.map(({ path, what, tool, call_id, state, code, steps: own }) => (
        <li key={path}>
          <OutcomeTag outcome={state} /> <UntrustedText>{path}</UntrustedText>{' '}
          {call_id === undefined ? (
            <span className="quiet">
              <UntrustedText>{what === 'ask' ? 'a question' : (tool ?? '')}</UntrustedText>
            </span>
          ) : (
            <Link to="/calls/$id" params={{ id: call_id }}>
              <UntrustedText>{tool ?? ''}</UntrustedText>
            </Link>
          )}{' '}
          {code === undefined ? null : <Code>{code}</Code>}
          {own.length === 0 ? null : <StepList steps={own} />}
        </li>
      ))}
    </ul>
  )
}

const PHASES: Readonly<Record<AuditRecord['phase'], string>> = {
  intent: 'An effect was about to begin',
  outcome: 'The call was answered',
  decision: 'A person decided',
  change: 'Something was changed',
}

function Records({ callId }: { readonly callId: string }): ReactNode {
  const records = useQuery(callRecordsQuery(callId))
  return (
    <section>
      <h2>Audit</h2>
      <QueryState
        query={records}
        loading="Loading the records"
        empty={({ items }) =>
          items.length === 0 ? <p>The audit has no record of this call.</p> : undefined
        }
      >
        {({ items }) => (
          <ol className="timeline">
            {items.toReversed().map((record) => (
              <li key={record.id}>
                <RecordView record={record} />
              </li>
            ))}
          </ol>
        )}
      </QueryState>
    </section>
  )
}

function RecordView({ record }: { readonly record: AuditRecord }): ReactNode {
  const { phase, outcome, code, error, principal, actor, surface, source, duration_ms } = record
  return (
    <>
      <p>
        <strong>{PHASES[phase]}</strong> <OutcomeTag outcome={outcome} />{' '}
        <DateTime at={record.created_at} />
      </p>
      <p className="quiet">
        <UntrustedText>{principal === '' ? '(erased)' : principal}</UntrustedText>
        {actor === 'ai_agent' ? ' (agent)' : ''}
        <UntrustedText>{surface === '' ? '' : `, through ${surface}`}</UntrustedText>
        <UntrustedText>{source === '' || source === undefined ? '' : `, ${source}`}</UntrustedText>
        {duration_ms === undefined || duration_ms === 0 ? '' : `, ${Math.round(duration_ms)} ms`}
        {', record '}
        <Code>{record.id}</Code>
      </p>
      {code === '' ? null : (
        <p>
          <Code>{code}</Code> <UntrustedText>{error ?? ''}</UntrustedText>
        </p>
      )}
      <Proof recordId={record.id} />
    </>
  )
}

function Code({ children }: { readonly children: string }): ReactNode {
  return (
    <code>
      <UntrustedText>{children}</UntrustedText>
    </code>
  )
}

function Proof({ recordId }: { readonly recordId: string }): ReactNode {
  const client = useQueryClient()
  const prove = useMutation({
    mutationFn: async () => {
      const [proof, { items }] = await Promise.all([
        readProof(recordId),
        client.fetchQuery(auditKeysQuery),
      ])
      return verifyProof(recordId, proof, items)
    },
  })
  const verdict = prove.data
  return (
    <div role="status">
      {verdict === undefined ? (
        <button type="button" disabled={prove.isPending} onClick={() => prove.mutate()}>
          Prove that it is in the audit
        </button>
      ) : verdict.kind === 'proven' ? (
        <p className="note good">
          Proven in this browser: record {verdict.position} of the {verdict.size} that were signed.
        </p>
      ) : (
        <p className="note bad">
          <strong>Not proven.</strong> <UntrustedText>{verdict.what}</UntrustedText>
        </p>
      )}
      {prove.error === null ? null : <Failure error={prove.error} />}
    </div>
  )
}

function Curl({ callId }: { readonly callId: string }): ReactNode {
  const command = `curl -s ${serverUrl(`v1/calls/${encodeURIComponent(callId)}`)} -H "Authorization: Bearer $TOKEN"`
  return (
    <div className="sample">
      <pre>{command}</pre>
      <CopyButton text={command} />
    </div>
  )
}
