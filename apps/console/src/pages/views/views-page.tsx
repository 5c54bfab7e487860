import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { FormEvent, ReactNode } from 'react'
import { type View, viewQuery, viewsQuery } from '../../api/view-queries.ts'
import { QueryState } from '../../ui/query-state.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { Blocks } from './blocks.tsx'

/** The views that the installed packs bring, as far as the person may use their tools. */
export function ViewsPage(): ReactNode {
  const views = useQuery(viewsQuery)
  return (
    <>
      <h1>Views</h1>
      <QueryState
        query={views}
        loading="Loading the views"
        empty={({ items }) =>
          items.length === 0 ? <p>No pack brings a view whose tools you may use.</p> : undefined
        }
      >
        {({ items }) => (
          <ul className="list">
            {items.map(({ pack, name, title, summary }) => (
              <li key={`${pack}/${name}`}>
                <Link to="/views/$pack/$name" params={{ pack, name }}>
                  <UntrustedText>{title}</UntrustedText>
                </Link>{' '}
                <span className="tag">
                  <UntrustedText>{pack}</UntrustedText>
                </span>{' '}
                <span className="quiet">
                  <UntrustedText>{summary}</UntrustedText>
                </span>
              </li>
            ))}
          </ul>
        )}
      </QueryState>
    </>
  )
}

/** One view, with the fields of its address. */
export function ViewPage(): ReactNode {
  const { pack, name } = useParams({ from: '/views/$pack/$name' })
  const fields = useSearch({ from: '/views/$pack/$name' })
  const view = useQuery(viewQuery(pack, name, fields))
  return (
    <>
      <p>
        <Link to="/views">‹ Views</Link>
      </p>
      <h1>
        <UntrustedText>{view.data?.title ?? name}</UntrustedText>
      </h1>
      <QueryState query={view} loading="Loading the view">
        {(shown) => (
          <>
            <FieldsForm key={JSON.stringify(fields)} view={shown} />
            <Blocks pack={pack} blocks={shown.blocks} />
          </>
        )}
      </QueryState>
    </>
  )
}

function FieldsForm({ view }: { readonly view: View }): ReactNode {
  const navigate = useNavigate({ from: '/views/$pack/$name' })
  if (view.fields.length === 0) return null
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const given = view.fields.flatMap(({ name }) => {
      const value = String(form.get(name) ?? '').trim()
      return value === '' ? [] : [[name, value]]
    })
    void navigate({ search: Object.fromEntries(given) })
  }
  return (
    <search>
      <form className="filters" onSubmit={submit}>
        {view.fields.map(({ name, label, value }) => (
          <label key={name}>
            <UntrustedText>{label}</UntrustedText>
            <input name={name} defaultValue={value} maxLength={200} />
          </label>
        ))}
        <div className="buttons">
          <button type="submit" className="primary">
            Show
          </button>
          <Link to="/views/$pack/$name" params={view} className="button">
            Clear
          </Link>
        </div>
      </form>
    </search>
  )
}
