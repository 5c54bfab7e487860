import { useEffect, useRef } from 'react'

/** Runs an action for a key that is pressed while nothing is being typed and no dialog is open. */
export function useKeys(actions: Readonly<Record<string, () => void>>): void {
  const current = useRef(actions)
  useEffect(() => {
    current.current = actions
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const action = current.current[event.key]
      if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input:not([type=checkbox]), textarea, select')
}
