import type { DryRunSchema, ProgramViewSchema } from '@surehand/edge/api'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { deleteData, getData, postData } from './client.ts'
import { pages } from './queries.ts'

export type ProgramView = z.output<typeof ProgramViewSchema>
export type DryRun = z.output<typeof DryRunSchema>

const pathOf = (id: string): string => `v1/programs/${encodeURIComponent(id)}`

export const programsQuery = pages<ProgramView>('programs', 'v1/programs')

export function programQuery(id: string) {
  return queryOptions({
    queryKey: ['program', id],
    queryFn: () => getData<ProgramView>(pathOf(id)),
  })
}

export function dryRunProgram(id: string, input: unknown): Promise<DryRun> {
  return postData(`${pathOf(id)}/dry-run`, { input })
}

/** The digest is that of the program that was shown. */
export function acceptProgram(id: string, digest: string): Promise<ProgramView> {
  return postData(`${pathOf(id)}/accept`, { digest })
}

export function removeProgram(id: string): Promise<void> {
  return deleteData(pathOf(id))
}
