import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { HiddenCharacters, UntrustedText } from '../../ui/untrusted-text.tsx'

type ChannelFormProps = {
  readonly name: string
  readonly current: string | null
  readonly hint: string
  readonly isSaving: boolean
  /** Null removes the channel. */
  readonly onSave: (value: string | null) => void
}

/** One way to a person: where it leads now, and a field for another place. */
export function ChannelForm(props: ChannelFormProps): ReactNode {
  const { name, current, hint, isSaving, onSave } = props
  const [value, setValue] = useState('')
  const id = useId()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onSave(value.trim())
    setValue('')
  }
  return (
    <form className="card" onSubmit={submit}>
      <h3>{name}</h3>
      <p>
        {current === null ? (
          <span className="quiet">not set</span>
        ) : (
          <UntrustedText>{current}</UntrustedText>
        )}
      </p>
      <label htmlFor={id}>{`${name}: ${hint}`}</label>
      <input
        id={id}
        required
        maxLength={2_048}
        value={value}
        onChange={({ target }) => setValue(target.value)}
      />
      <HiddenCharacters text={value} />
      <div className="buttons">
        <button type="submit" disabled={isSaving}>
          {`${current === null ? 'Set' : 'Change'} ${name}`}
        </button>
        {current === null ? null : (
          <ConfirmButton
            name={`Remove ${name}`}
            question="You are not notified there any more."
            onConfirm={() => onSave(null)}
          />
        )}
      </div>
    </form>
  )
}
