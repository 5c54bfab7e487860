import type { ReactNode } from 'react'
import { UntrustedText } from './untrusted-text.tsx'

const LONG = 2_000

type ValueViewProps = {
  readonly value: unknown
  readonly form?: 'raw' | 'spelled'
}

/** A JSON value as a readable list. Nothing is shortened. */
export function ValueView({ value, form = 'raw' }: ValueViewProps): ReactNode {
  if (typeof value === 'string') return <TextValue text={value} form={form} />
  if (Array.isArray(value))
    return value.length === 0 ? (
      <em>an empty list</em>
    ) : (
      <Entries entries={value.map((item, index) => [`${index + 1}.`, item])} form={form} />
    )
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    return entries.length === 0 ? <em>nothing</em> : <Entries entries={entries} form={form} />
  }
  return <code>{String(value)}</code>
}

function TextValue({
  text,
  form,
}: {
  readonly text: string
  readonly form: 'raw' | 'spelled'
}): ReactNode {
  if (text === '') return <em>an empty text</em>
  if (text.length <= LONG) return <UntrustedText form={form}>{text}</UntrustedText>
  return (
    <>
      <p className="note warn">
        A long text of {text.length.toLocaleString()} characters. Nothing is left out: read it to
        its end.
      </p>
      <UntrustedText form={form}>{text}</UntrustedText>
      <p className="quiet">
        <em>End of the long text.</em>
      </p>
    </>
  )
}

function Entries({
  entries,
  form,
}: {
  readonly entries: readonly (readonly [string, unknown])[]
  readonly form: 'raw' | 'spelled'
}): ReactNode {
  return (
    <dl className="values">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>
            <UntrustedText form={form}>{name}</UntrustedText>
          </dt>
          <dd>
            <ValueView value={value} form={form} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
