import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { mayChange } from '../../api/client.ts'
import { type Import, importsQuery } from '../../api/import-queries.ts'
import { QueryState } from '../../ui/query-state.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { AddImport } from './add-import.tsx'
import { Credentials } from './credentials.tsx'

/** Tools that came from elsewhere: imported documents, mounted servers, and their credentials. */
export function ImportsPage(): ReactNode {
  const imports = useInfiniteQuery(importsQuery)
  return (
    <>
      <h1>Imports and mounts</h1>
      <QueryState
        query={imports}
        loading="Loading the imports"
        empty={({ pages }) =>
          pages[0]?.items.length === 0 ? <p>Nothing is imported or mounted.</p> : undefined
        }
      >
        {({ pages }) => (
          <ul className="list">
            {pages
              .flatMap(({ items }) => items)
              .map((one) => (
                <ImportEntry key={one.name} one={one} />
              ))}
          </ul>
        )}
      </QueryState>
      {imports.hasNextPage ? (
        <button type="button" onClick={() => void imports.fetchNextPage()}>
          Show more
        </button>
      ) : null}
      {mayChange(imports) ? <AddImport /> : null}
      <Credentials />
    </>
  )
}

function ImportEntry({ one }: { readonly one: Import }): ReactNode {
  const { name, kind, tools, held, trouble, refused, refusals } = one
  return (
    <li>
      <Link to="/imports/$name" params={{ name }}>
        <UntrustedText>{name}</UntrustedText>
      </Link>{' '}
      <span className="quiet">
        <UntrustedText>{kind}</UntrustedText>, {tools} {tools === 1 ? 'tool' : 'tools'}
      </span>{' '}
      {held.length === 0 ? null : <span className="tag warn">{held.length} quarantined</span>}
      {trouble === undefined && refused === undefined ? null : (
        <span className="tag bad">trouble</span>
      )}
      {refusals.length === 0 ? null : (
        <span className="tag bad">
          {refusals.length} refused {refusals.length === 1 ? 'request' : 'requests'}
        </span>
      )}
    </li>
  )
}
