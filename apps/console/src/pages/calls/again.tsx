import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { callTool, contractQuery } from '../../api/tool-queries.ts'
import type { CallTrace } from '../../api/types.ts'
import { serverUrl } from '../../mount.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Failure } from '../../ui/query-state.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { ValueView } from '../../ui/value-view.tsx'
import { OutcomeTag } from './outcome-tag.tsx'

// What the server writes for a field that is sensitive.
const REDACTED = '"[hidden]"'

/** The same call once more: a read at once, anything by curl. */
export function Again({ pass }: { readonly pass: CallTrace }): ReactNode {
  const contract = useQuery(contractQuery(pass.tool_name))
  const effect = contract.data?.tool.surehand?.effect
  const isRedacted = pass.input.includes(REDACTED)
  const command = curlOf(pass)
  return (
    <>
      {effect === 'read' && !isRedacted ? <ReadAgain pass={pass} /> : null}
      <h3>As curl</h3>
      {isRedacted ? (
        <p className="note warn">
          Secret values are not stored: replace <code>[hidden]</code> before you run it.
        </p>
      ) : null}
      {effect === 'read' ? null : (
        <p className="note warn">
          {pass.key === ''
            ? 'It had no idempotency key of its own: if it changes something, this changes it once more.'
            : 'With the same idempotency key it is answered as before, and not done twice.'}
        </p>
      )}
      <div className="sample">
        <pre>
          <UntrustedText>{command}</UntrustedText>
        </pre>
        <CopyButton text={command} />
      </div>
    </>
  )
}

function ReadAgain({ pass }: { readonly pass: CallTrace }): ReactNode {
  const again = useMutation({
    mutationFn: () =>
      callTool(pass.tool_name, JSON.parse(pass.input), `console-${crypto.randomUUID()}`),
  })
  const { data: answer, error } = again
  return (
    <div role="status">
      <p>
        <button type="button" disabled={again.isPending} onClick={() => again.mutate()}>
          Read it again, as yourself
        </button>
      </p>
      {error === null ? null : <Failure error={error} />}
      {answer === undefined ? null : (
        <>
          <p>
            <OutcomeTag outcome={answer.metadata.outcome} />{' '}
            <Link to="/calls/$id" params={{ id: answer.metadata.call_id }}>
              See this call
            </Link>
          </p>
          {answer.error === undefined ? null : (
            <p className="note bad">
              <UntrustedText>{answer.error.message}</UntrustedText>
            </p>
          )}
          {answer.data === null || answer.data === undefined ? null : (
            <ValueView value={answer.data} />
          )}
        </>
      )}
    </div>
  )
}

/** A command that can be pasted: nothing in it is invisible, and no quote of the input ends it. */
function curlOf({ tool_name, key, input }: CallTrace): string {
  const url = serverUrl(`v1/tools/${encodeURIComponent(tool_name)}/call`)
  return [
    `curl -s ${quoteForShell(url)}`,
    '-H "Authorization: Bearer $TOKEN"',
    "-H 'Content-Type: application/json'",
    ...(key === '' ? [] : [`-H ${quoteForShell(`Idempotency-Key: ${key}`)}`]),
    `-d ${quoteForShell(toAscii(input))}`,
  ].join(' \\\n  ')
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

// Inside JSON every character may be written as its number.
function toAscii(json: string): string {
  return json.replace(
    /[^\x20-\x7e]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
