import { definePort, sameKey } from '@surehand/core'
import type { Person } from '../../person.ts'
import type { FileChange } from './plan-sync.ts'

export type FoundFile = { readonly path: string; readonly hash: string; readonly size: number }
export type FileProblem = { readonly path: string; readonly problem: string }
type Listing = {
  readonly files: readonly FoundFile[]
  readonly problems: readonly FileProblem[]
}
export type FileText = { readonly path: string; readonly hash: string; readonly text: string }

export type Written = {
  readonly path: string
  readonly done: 'written' | 'removed' | 'same' | 'skipped'
  readonly why?: string
}

/**
 * A folder of Markdown files for each person. Writing the same content again changes nothing, so a
 * write can be repeated after a crash.
 */
export type PersonalVault = {
  readonly list: (person: Person, signal: AbortSignal) => Promise<Listing>
  readonly read: (
    request: { readonly person: Person; readonly paths: readonly string[] },
    signal: AbortSignal,
  ) => Promise<readonly FileText[]>
  readonly apply: (
    request: { readonly person: Person; readonly items: readonly FileChange[] },
    signal: AbortSignal,
  ) => Promise<readonly Written[]>
  /** Deletes a person's folder with everything in it and returns the number of files. */
  readonly forget: (person: Person, signal: AbortSignal) => Promise<{ readonly files: number }>
}

const repeatable = sameKey({ validFor: '30d' })

export const personalVault = definePort<PersonalVault>('personalVault', {
  list: 'read',
  read: 'read',
  apply: repeatable,
  forget: repeatable,
})
