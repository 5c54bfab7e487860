import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import {
  type Policy,
  policyQuery,
  type StoredPolicy,
  savePolicy,
} from '../../api/administration-queries.ts'
import { Difference, isSame } from '../../ui/difference.tsx'
import { Failure, QueryState } from '../../ui/query-state.tsx'
import { filledLines, Lines, RowEditor } from '../../ui/row-editor.tsx'
import { WhatIfPanel } from './what-if.tsx'

/** What this tenant demands beyond the contracts of its tools, and what a change would do. */
export function PolicyPage(): ReactNode {
  const stored = useQuery(policyQuery)
  return (
    <>
      <h1>Policy</h1>
      <p>
        A policy can only tighten what the tools declare. In the names of tools <code>*</code>{' '}
        stands for any text.
      </p>
      <QueryState query={stored} loading="Loading the policy">
        {(found) => <PolicyEditor key={found.version} stored={found} />}
      </QueryState>
    </>
  )
}

function PolicyEditor({ stored }: { readonly stored: StoredPolicy }): ReactNode {
  const client = useQueryClient()
  const [draft, setDraft] = useState<Policy>(stored.policy ?? {})
  const policy = toPolicy(draft)
  const lines = { before: describePolicy(stored.policy ?? {}), after: describePolicy(policy) }
  const isChanged = !isSame(lines)
  const save = useMutation({
    mutationFn: () => savePolicy(policy, stored.version),
    onSuccess: (saved) => client.setQueryData(policyQuery.queryKey, saved),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isChanged) save.mutate()
  }
  return (
    <>
      {stored.policy === null ? (
        <p className="note">There is no policy yet: the contracts hold as they are.</p>
      ) : null}
      <form className="card" onSubmit={submit}>
        <PolicyFields draft={draft} onChange={setDraft} />
        <h2>What would change</h2>
        <Difference {...lines} />
        {save.error === null ? null : <Failure error={save.error} />}
        <div className="buttons">
          <button type="submit" className="primary" disabled={!isChanged || save.isPending}>
            Save this change
          </button>
          <button type="button" disabled={!isChanged} onClick={() => setDraft(stored.policy ?? {})}>
            Undo all
          </button>
        </div>
      </form>
      {isChanged ? <WhatIfPanel key={JSON.stringify(policy)} change={{ policy }} /> : null}
    </>
  )
}

type FieldsProps = { readonly draft: Policy; readonly onChange: (draft: Policy) => void }

function PolicyFields({ draft, onChange }: FieldsProps): ReactNode {
  const { enabledTools, disabledTools = [], limits = [], approvals = [], timeouts = [] } = draft
  const change = (part: Policy): void => onChange({ ...draft, ...part })
  const { enabledTools: _, ...allTools } = draft
  return (
    <>
      <label className="choice">
        <input
          type="checkbox"
          checked={enabledTools !== undefined}
          onChange={({ target }) =>
            onChange(target.checked ? { ...draft, enabledTools: ['*'] } : allTools)
          }
        />
        Only some tools are on
      </label>
      {enabledTools === undefined ? null : (
        <Lines
          label="Tools that are on"
          hint="One in each line. Without a line, no tool is on."
          lines={enabledTools}
          onChange={(lines) => change({ enabledTools: lines })}
        />
      )}
      <Lines
        label="Tools that are off"
        hint="One in each line, as in mail.*"
        lines={disabledTools}
        onChange={(lines) => change({ disabledTools: lines })}
      />
      <RowEditor
        title="Approvals"
        rows={approvals}
        fields={[
          { name: 'tools', label: 'Tools', kind: 'text' },
          { name: 'kind', label: 'Who approves', kind: ['confirm', 'consent', 'admin'] },
        ]}
        added={{ tools: '', kind: 'consent' }}
        onChange={(rows) => change({ approvals: rows })}
      />
      <RowEditor
        title="Limits"
        rows={limits.map(({ windowMs, ...rest }) => ({ ...rest, seconds: windowMs / 1_000 }))}
        fields={[
          { name: 'tools', label: 'Tools', kind: 'text' },
          { name: 'calls', label: 'Calls of the tenant', kind: 'number' },
          { name: 'seconds', label: 'In so many seconds', kind: 'number' },
        ]}
        added={{ tools: '', calls: 100, seconds: 3_600 }}
        onChange={(rows) =>
          change({
            limits: rows.map(({ seconds, ...rest }) => ({ ...rest, windowMs: seconds * 1_000 })),
          })
        }
      />
      <RowEditor
        title="Timeouts"
        rows={timeouts}
        fields={[
          { name: 'tools', label: 'Tools', kind: 'text' },
          { name: 'maxMs', label: 'At most, in milliseconds', kind: 'number' },
        ]}
        added={{ tools: '', maxMs: 10_000 }}
        onChange={(rows) => change({ timeouts: rows })}
      />
      <ApproverFields draft={draft} onChange={onChange} />
    </>
  )
}

function ApproverFields({ draft, onChange }: FieldsProps): ReactNode {
  const { trustedHosts = [], separateApprover = false } = draft
  return (
    <>
      <label className="choice">
        <input
          type="checkbox"
          checked={separateApprover}
          onChange={({ target }) => onChange({ ...draft, separateApprover: target.checked })}
        />
        Callers may not approve their own calls
      </label>
      <Lines
        label="Hosts that may report their user's approval"
        hint="One in each line. It counts for confirmations of what can be undone."
        lines={trustedHosts}
        onChange={(lines) => onChange({ ...draft, trustedHosts: lines })}
      />
    </>
  )
}

/** What is sent: parts that say nothing are left out. */
function toPolicy(draft: Policy): Policy {
  const filled = {
    ...draft,
    ...(draft.enabledTools === undefined ? {} : { enabledTools: filledLines(draft.enabledTools) }),
    disabledTools: filledLines(draft.disabledTools ?? []),
    trustedHosts: filledLines(draft.trustedHosts ?? []),
  }
  return Object.fromEntries(
    Object.entries(filled).filter(
      ([name, value]) =>
        value !== false && (name === 'enabledTools' || !Array.isArray(value) || value.length > 0),
    ),
  )
}

const KINDS: Readonly<Record<string, string>> = {
  confirm: 'a confirmation',
  consent: 'the consent of the person concerned',
  admin: 'the approval of an administrator',
}

/** A policy in sentences, one for each thing that it says. */
function describePolicy(policy: Policy): readonly string[] {
  const { enabledTools, disabledTools = [], limits = [], approvals = [], timeouts = [] } = policy
  return [
    ...(enabledTools === undefined
      ? []
      : enabledTools.length === 0
        ? ['No tool is on.']
        : [`Only these tools are on: ${enabledTools.join(', ')}.`]),
    ...disabledTools.map((tools) => `${tools} is off.`),
    ...approvals.map(({ tools, kind }) => `${tools} needs ${KINDS[kind] ?? kind}.`),
    ...limits.map(
      ({ tools, calls, windowMs }) =>
        `${tools} may be called ${calls} times in ${windowMs / 1_000} seconds.`,
    ),
    ...timeouts.map(({ tools, maxMs }) => `${tools} may take ${maxMs} ms.`),
    ...(policy.separateApprover === true ? ['Callers may not approve their own calls.'] : []),
    ...(policy.trustedHosts ?? []).map((host) => `${host} may report its user's approval.`),
  ]
}
