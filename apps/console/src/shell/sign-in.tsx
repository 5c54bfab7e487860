import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { signIn } from '../api/client.ts'
import { sessionQuery } from '../api/queries.ts'

/** Asks for a person's token. The session that it opens is that of the pages without scripts too. */
export function SignIn(): ReactNode {
  const client = useQueryClient()
  const [token, setToken] = useState('')
  const attempt = useMutation({
    mutationFn: async () => {
      if (!(await signIn(token.trim())))
        throw new Error(
          'This token is not valid, or it is the token of an AI agent. Sign in with your own token.',
        )
    },
    onSuccess: () => client.invalidateQueries(sessionQuery),
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    attempt.mutate()
  }
  return (
    <main className="sign-in">
      <h1>Sign in to the console</h1>
      {attempt.error === null ? null : (
        <p className="note bad" role="alert">
          {attempt.error.message}
        </p>
      )}
      <form onSubmit={submit}>
        <label htmlFor="token">Your access token</label>
        <input
          id="token"
          type="password"
          autoComplete="current-password"
          required
          value={token}
          onChange={({ target }) => setToken(target.value)}
        />
        <button type="submit" className="primary" disabled={attempt.isPending}>
          Sign in
        </button>
      </form>
    </main>
  )
}
