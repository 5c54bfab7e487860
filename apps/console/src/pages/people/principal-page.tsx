import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import {
  type Listed,
  type Principal,
  principalsQuery,
  savePrincipal,
} from '../../api/administration-queries.ts'
import { Difference, isSame } from '../../ui/difference.tsx'
import { Failure, QueryState } from '../../ui/query-state.tsx'
import { filledLines, Lines } from '../../ui/row-editor.tsx'
import { HiddenCharacters, UntrustedText } from '../../ui/untrusted-text.tsx'
import { WhatIfPanel } from '../policy/what-if.tsx'
import { Sessions } from './sessions.tsx'

const NEW_PRINCIPAL: Principal = { roles: ['user'], capabilities: [], disabled: false }

/** One principal: roles, capabilities and what agents get of them, and what a change would do. */
export function PrincipalPage(): ReactNode {
  const { id } = useParams({ strict: false })
  const principals = useInfiniteQuery(principalsQuery)
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = principals
  const found = data?.pages.flatMap(({ items }) => items).find((one) => one.id === id)
  // The list is the only place that they are read from: it is read on until the person is found.
  useEffect(() => {
    if (found === undefined && hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [found, hasNextPage, isFetchingNextPage, fetchNextPage])
  return (
    <>
      <p>
        <Link to="/people">‹ People and agents</Link>
      </p>
      <h1>{id === undefined ? 'A new person' : <UntrustedText>{id}</UntrustedText>}</h1>
      <QueryState
        query={principals}
        loading="Loading the person"
        empty={() =>
          found === undefined && id !== undefined && !hasNextPage ? (
            <p>There is no such person.</p>
          ) : undefined
        }
      >
        {() =>
          found === undefined && id !== undefined ? null : (
            <>
              <PrincipalEditor key={`${id} ${found?.version}`} stored={found} />
              {found === undefined ? null : <Sessions principal={found.id} />}
            </>
          )
        }
      </QueryState>
    </>
  )
}

function PrincipalEditor({ stored }: { readonly stored: Listed<Principal> | undefined }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [id, setId] = useState(stored?.id ?? '')
  const [draft, setDraft] = useState<Draft>(() => toDraft(stored?.record ?? NEW_PRINCIPAL))
  const record = toRecord(draft, stored?.record ?? NEW_PRINCIPAL)
  const lines = {
    before: stored === undefined ? [] : describe(stored.record),
    after: describe(record),
  }
  const save = useMutation({
    mutationFn: () => savePrincipal(id, record, stored?.version),
    onSuccess: async () => {
      await client.invalidateQueries(principalsQuery)
      await navigate({ to: '/people' })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <>
      <form className="card" onSubmit={submit}>
        {stored === undefined ? (
          <label>
            Id, as in ann
            <input
              required
              maxLength={128}
              value={id}
              onChange={({ target }) => setId(target.value)}
            />
          </label>
        ) : null}
        <Fields draft={draft} onChange={setDraft} />
        <h2>What would change</h2>
        <Difference {...lines} />
        {save.error === null ? null : <Failure error={save.error} />}
        <div className="buttons">
          <button type="submit" className="primary" disabled={isSame(lines) || save.isPending}>
            Save this change
          </button>
        </div>
      </form>
      {stored === undefined || isSame(lines) ? null : (
        <WhatIfPanel key={JSON.stringify(record)} change={{ principals: { [id]: record } }} />
      )}
    </>
  )
}

type Draft = {
  readonly name: string
  readonly roles: readonly string[]
  readonly capabilities: readonly string[]
  /** Undefined: the default delegation. */
  readonly delegated: readonly string[] | undefined
  readonly disabled: boolean
}

type FieldsProps = { readonly draft: Draft; readonly onChange: (draft: Draft) => void }

function Fields({ draft, onChange }: FieldsProps): ReactNode {
  const change = (part: Partial<Draft>): void => onChange({ ...draft, ...part })
  return (
    <>
      <label>
        Name
        <input
          maxLength={200}
          value={draft.name}
          onChange={({ target }) => change({ name: target.value })}
        />
      </label>
      <HiddenCharacters text={draft.name} />
      <Lines label="Roles" lines={draft.roles} onChange={(roles) => change({ roles })} />
      <Lines
        label="Capabilities"
        hint='One in each line, as in mail.send; with a scope or conditions as JSON: {"name":"mail.send","scope":"own"}'
        lines={draft.capabilities}
        onChange={(capabilities) => change({ capabilities })}
      />
      <label className="choice">
        <input
          type="checkbox"
          checked={draft.delegated !== undefined}
          onChange={({ target }) => change({ delegated: target.checked ? [] : undefined })}
        />
        Their agents get only some capabilities
      </label>
      {draft.delegated === undefined ? null : (
        <Lines
          label="Capabilities of their agents"
          hint="One in each line; without a line their agents get none."
          lines={draft.delegated}
          onChange={(delegated) => change({ delegated })}
        />
      )}
      <label className="choice">
        <input
          type="checkbox"
          checked={draft.disabled}
          onChange={({ target }) => change({ disabled: target.checked })}
        />
        Disabled: refused wherever they sign in
      </label>
    </>
  )
}

function toDraft({ name = '', roles, capabilities, delegated, disabled }: Principal): Draft {
  return {
    ...{ name, roles, delegated, disabled },
    capabilities: capabilities.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))),
  }
}

function toRecord({ name, delegated, ...draft }: Draft, before: Principal): Principal {
  const { name: _, delegated: __, ...rest } = before
  return {
    ...rest,
    ...(name.trim() === '' ? {} : { name: name.trim() }),
    roles: filledLines(draft.roles),
    capabilities: filledLines(draft.capabilities).map(readCapability),
    ...(delegated === undefined ? {} : { delegated: filledLines(delegated) }),
    disabled: draft.disabled,
  }
}

// While it is being typed it may be no JSON yet; the server says so if it is sent.
function readCapability(line: string): unknown {
  try {
    return line.startsWith('{') ? JSON.parse(line) : line
  } catch {
    return line
  }
}

/** A principal in sentences, one for each thing that it says. */
function describe({ name, roles, capabilities, delegated, disabled }: Principal): string[] {
  return [
    ...(name === undefined ? [] : [`is called ${name}`]),
    ...roles.map((role) => `has the role ${role}`),
    ...capabilities.map(
      (one) => `has the capability ${typeof one === 'string' ? one : JSON.stringify(one)}`,
    ),
    ...(delegated === undefined
      ? ['gives agents the default capabilities']
      : delegated.length === 0
        ? ['gives agents nothing']
        : delegated.map((one) => `gives agents ${one}`)),
    ...(disabled ? ['is disabled'] : []),
  ]
}
