import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  auditKeysQuery,
  erasuresQuery,
  readAuditExport,
  retentionQuery,
  verifyStored,
} from '../../api/queries.ts'
import type { Retention } from '../../api/types.ts'
import { serverUrl } from '../../mount.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Failure, QueryState } from '../../ui/query-state.tsx'
import { DateTime } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { type ExportVerdict, type PublicKey, verifyExport } from './verify-export.ts'

/** Was the audit tampered with? Checked here, and by the server. */
export function AuditPage(): ReactNode {
  const keys = useQuery(auditKeysQuery)
  return (
    <>
      <h1>Audit</h1>
      <QueryState query={keys} loading="Loading the keys">
        {({ items }) => (
          <>
            <BrowserCheck keys={items} />
            <ServerCheck />
            <section>
              <h2>The keys that sign</h2>
              <p>
                Compare them with those that you know from elsewhere: a person who changed the
                server may have changed what it says here.
              </p>
              <dl className="values">
                {items.map(({ key_id, public_key }) => (
                  <div key={key_id}>
                    <dt>
                      <code>
                        <UntrustedText>{key_id}</UntrustedText>
                      </code>
                    </dt>
                    <dd>
                      <code>
                        <UntrustedText>{public_key}</UntrustedText>
                      </code>
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
            <Kept />
            <ExportCommand />
          </>
        )}
      </QueryState>
    </>
  )
}

function BrowserCheck({ keys }: { readonly keys: readonly PublicKey[] }): ReactNode {
  const [records, setRecords] = useState(0)
  const check = useMutation({
    mutationFn: () => {
      setRecords(0)
      return verifyExport(readAuditExport(), { keys, onProgress: setRecords })
    },
  })
  return (
    <section>
      <h2>Check it in this browser</h2>
      <p>
        The whole audit is downloaded. This browser computes the hash of every record and the tree
        over all of them, and checks every signed head.
      </p>
      {globalThis.isSecureContext ? (
        <button
          type="button"
          className="primary"
          disabled={check.isPending}
          onClick={() => check.mutate()}
        >
          Check the audit
        </button>
      ) : (
        <p className="note warn">
          Browsers offer their cryptography over https only. Open the console by its https address.
        </p>
      )}
      <div role="status">
        {check.isPending ? <p>{records.toLocaleString()} records checked …</p> : null}
        {check.data === undefined || check.isPending ? null : <VerdictView verdict={check.data} />}
      </div>
      {check.error === null ? null : <Failure error={check.error} />}
    </section>
  )
}

function VerdictView({ verdict }: { readonly verdict: ExportVerdict }): ReactNode {
  if (verdict.kind === 'broken')
    return (
      <div className="note bad">
        <p>
          <strong>The audit is broken at record {verdict.position}.</strong> {verdict.what}
        </p>
        {verdict.record === undefined ? null : (
          <pre>
            <UntrustedText>{verdict.record}</UntrustedText>
          </pre>
        )}
      </div>
    )
  const { size, signedSize, erased } = verdict
  return (
    <div className="note good">
      <p>
        <strong>Intact.</strong> {size.toLocaleString()} records; {signedSize.toLocaleString()} of
        them are under a signed head.
      </p>
      {erased === 0 ? null : (
        <p>
          The personal data of {erased.toLocaleString()} was erased. The server checks whether that
          was legitimate.
        </p>
      )}
    </div>
  )
}

function ServerCheck(): ReactNode {
  const check = useMutation({ mutationFn: verifyStored })
  const verdict = check.data?.verdict
  return (
    <section>
      <h2>Let the server check it</h2>
      <p>It also compares what is anchored outside its database, and the seals of its processes.</p>
      <button type="button" disabled={check.isPending} onClick={() => check.mutate()}>
        Check on the server
      </button>
      <div role="status">
        {verdict === undefined ? null : verdict.kind === 'intact' ? (
          <p className="note good">
            <strong>Intact on the server.</strong> {(verdict.size ?? 0).toLocaleString()} records;{' '}
            {(verdict.anchoredSize ?? 0).toLocaleString()} of them are anchored outside.
          </p>
        ) : (
          <p className="note bad">
            <strong>Broken at record {verdict.flaw?.position ?? '?'}.</strong>{' '}
            <UntrustedText>{verdict.flaw?.what ?? ''}</UntrustedText>
          </p>
        )}
      </div>
      {check.error === null ? null : <Failure error={check.error} />}
    </section>
  )
}

/** How long what is kept, and when people were erased; the records do not say whom. */
function Kept(): ReactNode {
  const retention = useQuery(retentionQuery)
  return (
    <section>
      <h2>Retention and erasure</h2>
      <QueryState query={retention} loading="Loading the retention times">
        {(days) => <RetentionTimes {...days} />}
      </QueryState>
      <p>
        <code>surehand principals forget NAME</code> erases a person at once: the record of it
        stays, without the person's name, and the audit still verifies.
      </p>
      <Erasures />
    </section>
  )
}

function RetentionTimes({ calls, traces, figures }: Retention): ReactNode {
  const inDays = (count: number): string => (count === 1 ? '1 day' : `${count} days`)
  return (
    <p>
      Audit records stay as long as the tenant. The inputs and answers of calls are removed{' '}
      {inDays(calls)} after the call ended, the times of its stages after {inDays(traces)}, counts
      over time after {inDays(figures)}.
    </p>
  )
}

function Erasures(): ReactNode {
  const erasures = useQuery(erasuresQuery)
  return (
    <QueryState
      query={erasures}
      loading="Loading the erasures"
      empty={({ items }) => (items.length === 0 ? <p>No person was erased.</p> : undefined)}
    >
      {({ items }) => (
        <ul className="list">
          {items.map(({ id, principal, created_at }) => (
            <li key={id}>
              A person was erased by <UntrustedText>{principal}</UntrustedText>{' '}
              <DateTime at={created_at} />{' '}
              <code>
                <UntrustedText>{id}</UntrustedText>
              </code>
            </li>
          ))}
        </ul>
      )}
    </QueryState>
  )
}

function ExportCommand(): ReactNode {
  const command = `curl -s ${serverUrl('v1/audit/export')} -H "Authorization: Bearer $TOKEN" > audit.jsonl`
  return (
    <section>
      <h2>Keep a copy</h2>
      <div className="sample">
        <pre>{command}</pre>
        <CopyButton text={command} />
      </div>
    </section>
  )
}
