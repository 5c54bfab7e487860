import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import {
  createToken,
  type ListedToken,
  revokeToken,
  type Token,
  type TokenForm,
  tokensQuery,
} from '../../api/administration-queries.ts'
import { mayChange } from '../../api/client.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { Failure, QueryState } from '../../ui/query-state.tsx'
import { filledLines, Lines } from '../../ui/row-editor.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { Time } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'

/** The tokens of the tenant. A secret is shown once, when it is made. */
export function Tokens(): ReactNode {
  const tokens = useInfiniteQuery(tokensQuery)
  return (
    <section>
      <h2>Tokens</h2>
      <QueryState
        query={tokens}
        loading="Loading the tokens"
        empty={({ pages }) =>
          pages[0]?.items.length === 0 ? <p>There is no token.</p> : undefined
        }
      >
        {({ pages }) => (
          <ul className="list">
            {pages
              .flatMap(({ items }) => items)
              .map((token) => (
                <TokenEntry key={token.id} token={token} />
              ))}
          </ul>
        )}
      </QueryState>
      <MoreButton query={tokens} />
      {mayChange(tokens) ? <NewToken /> : null}
    </section>
  )
}

function TokenEntry({ token }: { readonly token: ListedToken }): ReactNode {
  const { id, record, lastUsedAt } = token
  const { principal, name, actor, lastFour, scopes, oauth, createdBy, expiresAt, revokedAt } =
    record
  const client = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => revokeToken(id),
    onSuccess: () => client.invalidateQueries(tokensQuery),
  })
  return (
    <li>
      <strong>
        <UntrustedText>{name}</UntrustedText>
      </strong>{' '}
      of <UntrustedText>{principal}</UntrustedText>{' '}
      {actor === 'ai_agent' ? <span className="tag">agent</span> : null}
      {revokedAt === undefined ? null : <span className="tag bad">revoked</span>}
      <p className="quiet">
        ends with{' '}
        <code>
          <UntrustedText>{lastFour}</UntrustedText>
        </code>
        , made by <UntrustedText>{createdBy}</UntrustedText> <Time at={record.createdAt} />
        {lastUsedAt === null ? ', never used' : ', last used '}
        {lastUsedAt === null ? null : <Time at={lastUsedAt} />}
        {expiresAt === undefined ? ', does not expire' : ', expires '}
        {expiresAt === undefined ? null : <Time at={expiresAt} />}
        <UntrustedText>{limitsText(scopes, oauth)}</UntrustedText>
      </p>
      {revokedAt === undefined ? (
        <ConfirmButton
          name={`Revoke ${name}`}
          question="A client that presents it is refused within a second."
          onConfirm={() => revoke.mutate()}
        />
      ) : null}
      {revoke.error === null ? null : <Failure error={revoke.error} />}
    </li>
  )
}

function limitsText(scopes: Token['scopes'], oauth: Token['oauth']): string {
  return [
    scopes === undefined ? '' : `, only for ${scopes.join(', ') || 'nothing'}`,
    oauth === undefined ? '' : `, of the client ${oauth.client}`,
  ].join('')
}

function NewToken(): ReactNode {
  const client = useQueryClient()
  const [scopes, setScopes] = useState<readonly string[]>([])
  const create = useMutation({
    mutationFn: createToken,
    onSuccess: () => client.invalidateQueries(tokensQuery),
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    create.mutate(readForm(new FormData(event.currentTarget), filledLines(scopes)))
  }
  return (
    <form className="card" onSubmit={submit}>
      <h3>Make a token</h3>
      <label htmlFor="token-principal">Principal</label>
      <input id="token-principal" name="principal" required maxLength={128} />
      <label htmlFor="token-name">What it is for</label>
      <input id="token-name" name="name" required maxLength={200} />
      <label htmlFor="token-actor">Who presents it</label>
      <select id="token-actor" name="actor">
        <option value="user">the person</option>
        <option value="ai_agent">an agent, with what the person delegates</option>
      </select>
      <label htmlFor="token-days">Days until it expires</label>
      <input id="token-days" name="days" type="number" min={1} max={3_650} defaultValue={30} />
      <Lines
        label="Only these capabilities"
        hint="One in each line; without a line all that the principal has."
        lines={scopes}
        onChange={setScopes}
      />
      {create.error === null ? null : <Failure error={create.error} />}
      <div className="buttons">
        <button type="submit" className="primary" disabled={create.isPending}>
          Make the token
        </button>
      </div>
      {create.data === undefined ? null : <ShownOnce secret={create.data.token} />}
    </form>
  )
}

function readForm(form: FormData, scopes: readonly string[]): TokenForm {
  const text = (name: string): string => String(form.get(name) ?? '').trim()
  const days = Number(text('days'))
  return {
    principal: text('principal'),
    name: text('name'),
    actor: text('actor') === 'ai_agent' ? 'ai_agent' : 'user',
    ...(days > 0 ? { expiresInSeconds: days * 86_400 } : {}),
    ...(scopes.length === 0 ? {} : { scopes }),
  }
}
