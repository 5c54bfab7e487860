// The package's index also exports what needs Ajv, for its own tests.
import Form from '@rjsf/core/lib/components/Form.js'
import type { RJSFSchema, UiSchema } from '@rjsf/utils'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useMemo, useState } from 'react'
import { callTool, figuresQuery } from '../../api/tool-queries.ts'
import type { CallEnvelope, ToolContract } from '../../api/types.ts'
import { serverUrl } from '../../mount.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Failure } from '../../ui/query-state.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { ValueView } from '../../ui/value-view.tsx'
import { OutcomeTag } from '../calls/outcome-tag.tsx'
import { formValidator, toFormSchema } from './form-schema.ts'

type Draft = { readonly input: unknown; readonly key: string }

const newDraft = (input: unknown): Draft => ({ input, key: `console-${crypto.randomUUID()}` })

/** A form from the tool's own schema. The call is the person's: all rules hold for it. */
export function TryForm({ contract }: { readonly contract: ToolContract }): ReactNode {
  const { tool, input_schema } = contract
  const client = useQueryClient()
  const schema = useMemo(() => toFormSchema(input_schema), [input_schema])
  const { examples } = tool.function_signature.input
  // Until the input is another one, the key is the same: a form that is sent twice is one call.
  const [draft, setDraft] = useState(() => newDraft(examples[0]?.input ?? {}))
  const call = useMutation({
    mutationFn: ({ input, key }: Draft) => callTool(tool.id, input, key),
    onSettled: () => client.invalidateQueries(figuresQuery(tool.id)),
  })
  const isWrite = tool.surehand?.effect.startsWith('writes.') ?? false
  return (
    <>
      {isWrite ? (
        <p className="note warn">
          This is a real call, made in your name. It may change something.
        </p>
      ) : null}
      <div className="card">
        <Form
          key={tool.id}
          idPrefix="try"
          schema={schema}
          uiSchema={uiSchemaOf(schema, tool.surehand?.sensitive ?? [])}
          validator={formValidator}
          formData={draft.input}
          showErrorList={false}
          noHtml5Validate
          focusOnFirstError
          // Said beside the fields; without it the library also writes it to the browser's log.
          onError={() => undefined}
          disabled={call.isPending}
          onChange={({ formData }) => setDraft(newDraft(formData))}
          onSubmit={({ formData }) => call.mutate({ input: formData ?? {}, key: draft.key })}
        >
          <div className="buttons">
            <button type="submit" className="primary" disabled={call.isPending}>
              {tool.surehand?.approval === 'none' ? 'Call it' : 'Call it, or ask for approval'}
            </button>
          </div>
        </Form>
      </div>
      <div role="status">
        {call.isPending ? <p>Calling {tool.id} …</p> : null}
        {call.data === undefined || call.isPending ? null : <Answer envelope={call.data} />}
      </div>
      {call.error === null ? null : <Failure error={call.error} />}
      <Curl id={tool.id} draft={draft} isWrite={isWrite} />
    </>
  )
}

// Secret fields are typed unseen; their paths are like `card.number`.
function uiSchemaOf({ title }: RJSFSchema, sensitive: readonly string[]): UiSchema {
  const ui: Record<string, unknown> = title === undefined ? {} : { 'ui:title': ' ' }
  for (const path of sensitive) if (!path.includes('.')) ui[path] = { 'ui:widget': 'password' }
  return ui
}

function Answer({ envelope }: { readonly envelope: CallEnvelope }): ReactNode {
  const { data, error, metadata } = envelope
  const { outcome, pending, asking } = metadata
  const waits = pending?.approval_id ?? asking?.question_id
  return (
    <div className="card" data-testid="answer">
      <p>
        <OutcomeTag outcome={outcome} />
        <Link to="/calls/$id" params={{ id: metadata.call_id }}>
          See the call
        </Link>
        {waits === undefined ? null : (
          <>
            {' · '}
            <Link to="/" search={{ item: waits }}>
              Open what waits for a person
            </Link>
          </>
        )}
      </p>
      {error === undefined ? null : (
        <div className={waits === undefined ? 'note bad' : 'note warn'}>
          <p>
            <UntrustedText>{error.message}</UntrustedText>
          </p>
          {error.recovery_suggestions?.map((suggestion) => (
            <p key={suggestion}>
              <UntrustedText>{suggestion}</UntrustedText>
            </p>
          ))}
        </div>
      )}
      {data === null || data === undefined ? null : <ValueView value={data} />}
    </div>
  )
}

type CurlProps = { readonly id: string; readonly draft: Draft; readonly isWrite: boolean }

function Curl({ id, draft, isWrite }: CurlProps): ReactNode {
  // Within single quotes a shell takes everything literally but the quote itself.
  const body = JSON.stringify(draft.input ?? {}).replaceAll("'", "'\\''")
  const key = isWrite ? ` -H 'Idempotency-Key: ${draft.key}'` : ''
  const command = `curl -s ${serverUrl(`v1/tools/${encodeURIComponent(id)}/call`)} -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json'${key} -d '${body}'`
  return (
    <details>
      <summary>The same from a shell</summary>
      <div className="sample">
        <pre>
          <UntrustedText>{command}</UntrustedText>
        </pre>
        <CopyButton text={command} />
      </div>
    </details>
  )
}
