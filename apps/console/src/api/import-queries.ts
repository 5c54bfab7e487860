import { queryOptions } from '@tanstack/react-query'
import { serverUrl } from '../mount.ts'
import { deleteData, getData, postData, putData } from './client.ts'
import { pages } from './queries.ts'
import type { Page } from './types.ts'

/** An imported document or a mounted server. */
export type Import = {
  readonly name: string
  readonly kind: string
  readonly from: unknown
  readonly settings: unknown
  /** The hash of the document in use. */
  readonly document: string
  readonly tools: number
  readonly held: readonly {
    readonly id: string
    readonly held: string
    readonly differences: readonly string[]
  }[]
  readonly trouble?: string
  readonly refused?: { readonly reason: string; readonly suggestions: readonly string[] }
  /** Requests that were not sent, the newest first. */
  readonly refusals: readonly {
    readonly host: string
    readonly reason: string
    readonly suggestion: string
    readonly at: string
  }[]
  readonly imported_by: string
  readonly refresh_seconds: number
}

export type ImportReport = {
  readonly operations: number
  readonly taken: readonly string[]
  readonly left_out: readonly { readonly operation: string; readonly reason: string }[]
  readonly losses: readonly { readonly tool: string; readonly what: string }[]
  readonly tokens: number
  readonly needs?: unknown
}

/** Where tools come from: an address, or the text of a document. */
export type ImportSource = {
  readonly kind: string
  readonly from?: unknown
  readonly settings?: unknown
  readonly document?: string
}

/** A credential without its secret. */
export type Credential = {
  readonly id: string
  readonly version: number
  readonly updated_at: string
  readonly state: 'sealed' | 'unreadable'
  readonly record: {
    readonly kind: string
    readonly origins: readonly string[]
    readonly hint?: { readonly lastFour?: string }
    readonly createdBy?: string
  } | null
  readonly consents: { readonly held: number; readonly needed: number }
  readonly problem?: { readonly reason: string; readonly suggestions: readonly string[] }
}

const pathOf = (name: string, part = ''): string => `v1/imports/${encodeURIComponent(name)}${part}`

export const importsQuery = pages<Import>('imports', 'v1/imports')

export function importQuery(name: string) {
  return queryOptions({
    queryKey: ['import', name],
    queryFn: () => getData<Import>(pathOf(name)),
  })
}

export const previewImport = (name: string, source: ImportSource): Promise<ImportReport> =>
  postData(pathOf(name, '/preview'), source)

export const putImport = (name: string, source: ImportSource): Promise<Import> =>
  putData(pathOf(name), source)

export const refreshImport = (name: string): Promise<Import> =>
  postData(pathOf(name, '/refresh'), {})

/** Accepts changed tools; the hash says which document was looked at. */
export const acceptTools = (
  name: string,
  document: string,
  tools: readonly string[],
): Promise<Import> => postData(pathOf(name, '/accept'), { document, tools })

export const removeImport = (name: string): Promise<void> => deleteData(pathOf(name))

export const credentialsQuery = queryOptions({
  queryKey: ['credentials'],
  queryFn: () => getData<Page<Credential>>('v1/credentials', { limit: 200 }),
})

export type CredentialForm = {
  readonly kind: string
  readonly origins: readonly string[]
} & Readonly<Record<string, unknown>>

/** Stores a credential; `version` is that of the one it replaces. */
export const putCredential = (
  id: string,
  form: CredentialForm,
  version?: number,
): Promise<Credential> => putData(`v1/credentials/${encodeURIComponent(id)}`, form, version)

export const removeCredential = ({ id, version }: Credential): Promise<void> =>
  deleteData(`v1/credentials/${encodeURIComponent(id)}`, version)

/** The page on which a person consents, at the service behind a credential, that it is used. */
export const consentUrl = (id: string): string => serverUrl(`credentials/${encodeURIComponent(id)}`)
