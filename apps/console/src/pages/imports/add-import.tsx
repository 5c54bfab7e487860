import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import {
  type ImportReport,
  type ImportSource,
  importsQuery,
  previewImport,
  putImport,
} from '../../api/import-queries.ts'
import { Failure } from '../../ui/query-state.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { ValueView } from '../../ui/value-view.tsx'

type Proposed = { readonly name: string; readonly source: ImportSource }

/** Imports a document by its address or from a file, after its report was seen. */
export function AddImport(): ReactNode {
  const client = useQueryClient()
  const [proposed, setProposed] = useState<Proposed>()
  const preview = useMutation({
    mutationFn: async (form: FormData) => {
      const read = await readForm(form)
      const report = await previewImport(read.name, read.source)
      setProposed(read)
      return report
    },
  })
  const add = useMutation({
    mutationFn: ({ name, source }: Proposed) => putImport(name, source),
    onSuccess: async () => {
      setProposed(undefined)
      preview.reset()
      await client.invalidateQueries(importsQuery)
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    setProposed(undefined)
    preview.mutate(new FormData(event.currentTarget))
  }
  return (
    <section>
      <h2>Import a document</h2>
      <form className="card" onSubmit={submit}>
        <label htmlFor="import-name">Name, with which its tools begin</label>
        <input id="import-name" name="name" required pattern="[a-z][a-zA-Z0-9]*" />
        <label htmlFor="import-kind">Kind</label>
        <select id="import-kind" name="kind">
          <option value="openapi">OpenAPI</option>
          <option value="graphql">GraphQL</option>
          <option value="mcp">MCP server</option>
        </select>
        <label htmlFor="import-url">Address</label>
        <input id="import-url" name="url" type="url" />
        <label htmlFor="import-file">or a file</label>
        <input id="import-file" name="file" type="file" accept=".json,.yaml,.yml,.graphql" />
        <div className="buttons">
          <button type="submit" disabled={preview.isPending}>
            Show what it would bring
          </button>
        </div>
      </form>
      <div role="status">{preview.isPending ? <p>Reading the document …</p> : null}</div>
      {preview.error === null ? null : <Failure error={preview.error} />}
      {preview.data === undefined || proposed === undefined ? null : (
        <div className="card">
          <Report report={preview.data} />
          <div className="buttons">
            <button
              type="button"
              className="primary"
              disabled={add.isPending}
              onClick={() => add.mutate(proposed)}
            >
              Import these tools
            </button>
          </div>
          {add.error === null ? null : <Failure error={add.error} />}
        </div>
      )}
    </section>
  )
}

async function readForm(form: FormData): Promise<Proposed> {
  const text = (name: string): string => String(form.get(name) ?? '').trim()
  const [name, kind, url] = [text('name'), text('kind'), text('url')]
  const file = form.get('file')
  const document = file instanceof File && file.size > 0 ? await file.text() : undefined
  if (url === '' && document === undefined)
    throw new Error('Give an address or a file to import from.')
  const isGraphql = kind === 'graphql'
  const from = url === '' ? null : isGraphql ? { endpoint: url } : { url }
  return {
    name,
    source: {
      kind,
      from,
      // A schema does not say where it is served.
      ...(isGraphql && url !== '' ? { settings: { endpoint: url } } : {}),
      ...(document === undefined ? {} : { document }),
    },
  }
}

function Report({ report }: { readonly report: ImportReport }): ReactNode {
  const { operations, taken, left_out, losses, tokens, needs } = report
  return (
    <>
      <p>
        <strong>
          {taken.length} of {operations} {operations === 1 ? 'operation' : 'operations'} would be
          tools
        </strong>
        , about {tokens.toLocaleString()} tokens in the context of a model.
      </p>
      <ul>
        {taken.map((id) => (
          <li key={id}>
            <UntrustedText>{id}</UntrustedText>
          </li>
        ))}
      </ul>
      {left_out.length === 0 ? null : (
        <>
          <h3>Left out</h3>
          <ValueView
            value={Object.fromEntries(left_out.map(({ operation, reason }) => [operation, reason]))}
          />
        </>
      )}
      {losses.length === 0 ? null : (
        <>
          <h3>What is lost</h3>
          <ValueView value={losses.map(({ tool, what }) => `${tool}: ${what}`)} />
        </>
      )}
      {needs === undefined ? null : (
        <>
          <h3>What it still needs</h3>
          <ValueView value={needs} />
        </>
      )}
    </>
  )
}
