import { type ReactNode, useId } from 'react'
import { HiddenCharacters } from './untrusted-text.tsx'

export type RowField<Row> = {
  readonly name: keyof Row & string
  readonly label: string
  readonly kind: 'text' | 'number' | readonly string[]
}

type RowEditorProps<Row> = {
  readonly title: string
  readonly rows: readonly Row[]
  readonly fields: readonly RowField<Row>[]
  readonly added: Row
  readonly onChange: (rows: readonly Row[]) => void
}

/** Rows of few fields, which are added, changed and removed. */
export function RowEditor<Row extends object>(props: RowEditorProps<Row>): ReactNode {
  const { title, rows, fields, added, onChange } = props
  const replace = (index: number, row: Row): void =>
    onChange(rows.map((other, at) => (at === index ? row : other)))
  return (
    <fieldset>
      <legend>{title}</legend>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other name
        <div className="filters" key={index}>
          {fields.map((field) => (
            <RowInput
              key={field.name}
              field={field}
              value={row[field.name]}
              onChange={(value) => replace(index, { ...row, [field.name]: value })}
            />
          ))}
          <div className="buttons">
            <button
              type="button"
              aria-label={`Remove row ${index + 1} of ${title}`}
              onClick={() => onChange(rows.filter((_, at) => at !== index))}
            >
              Remove
            </button>
          </div>
        </div>
      ))}
      <button type="button" onClick={() => onChange([...rows, added])}>
        Add to {title.toLowerCase()}
      </button>
    </fieldset>
  )
}

type RowInputProps<Row> = {
  readonly field: RowField<Row>
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

function RowInput<Row>({ field, value, onChange }: RowInputProps<Row>): ReactNode {
  const { label, kind } = field
  if (typeof kind === 'object')
    return (
      <label>
        {label}
        <select value={String(value)} onChange={({ target }) => onChange(target.value)}>
          {kind.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      </label>
    )
  return (
    <>
      <label>
        {label}
        <input
          type={kind}
          required
          min={kind === 'number' ? 0 : undefined}
          value={Number.isNaN(value) ? '' : String(value)}
          onChange={({ target }) => onChange(kind === 'text' ? target.value : target.valueAsNumber)}
        />
      </label>
      <HiddenCharacters text={String(value)} />
    </>
  )
}

type LinesProps = {
  readonly label: string
  readonly lines: readonly string[]
  readonly hint?: string
  readonly onChange: (lines: readonly string[]) => void
}

/** A list of short texts, one in each line. */
export function Lines({ label, lines, hint, onChange }: LinesProps): ReactNode {
  const id = useId()
  return (
    <>
      <label htmlFor={id}>{label}</label>
      {hint === undefined ? null : (
        <p className="quiet" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <textarea
        id={id}
        className="code"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        rows={Math.min(8, Math.max(2, lines.length + 1))}
        spellCheck={false}
        value={lines.join('\n')}
        onChange={({ target }) => onChange(target.value === '' ? [] : target.value.split('\n'))}
      />
      <HiddenCharacters text={lines.join('\n')} />
    </>
  )
}

/** The lines without what was left empty while typing. */
export function filledLines(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.trim()).filter((line) => line !== '')
}
