import { type ReactNode, useState } from 'react'

/** Copies a text. Its own name says that it was done. */
export function CopyButton({ text }: { readonly text: string }): ReactNode {
  const [name, setName] = useState('Copy')
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text).then(
      () => setName('Copied'),
      () => setName('Not copied: select the text'),
    )
  }
  return (
    <button type="button" onClick={() => void copy()}>
      {name}
    </button>
  )
}
