import type { ReactNode } from 'react'
import { UntrustedText } from './untrusted-text.tsx'

type QueryStateProps<T> = {
  readonly query: {
    readonly data: T | undefined
    readonly error: Error | null
    readonly refetch: () => unknown
  }
  /** What is being loaded, as in "Loading the calls". */
  readonly loading: string
  /** Shown instead of the children where there is nothing; undefined where there is something. */
  readonly empty?: (data: T) => ReactNode | undefined
  readonly children: (data: T) => ReactNode
}

/** The four states of every part of a page that shows data: loading, error, empty, full. */
export function QueryState<T>({ query, loading, empty, children }: QueryStateProps<T>): ReactNode {
  const { data, error, refetch } = query
  if (data === undefined && error !== null) return <Failure error={error} onRetry={refetch} />
  if (data === undefined)
    return (
      <p className="state" role="status">
        {loading} …
      </p>
    )
  const nothing = empty?.(data)
  return (
    <>
      {error === null ? null : <Failure error={error} onRetry={refetch} />}
      {nothing === undefined ? children(data) : <div className="state">{nothing}</div>}
    </>
  )
}

type FailureProps = { readonly error: Error; readonly onRetry?: (() => unknown) | undefined }

export function Failure({ error, onRetry }: FailureProps): ReactNode {
  return (
    <div className="note bad" role="alert">
      <p>
        <UntrustedText>{error.message}</UntrustedText>
      </p>
      {onRetry === undefined ? null : (
        <button type="button" onClick={() => void onRetry()}>
          Try again
        </button>
      )}
    </div>
  )
}
