import type { ToolError } from '@surehand/core'
import type { ValueStore } from '@surehand/core/ports'
import { z } from 'zod'
import { megabytes } from './megabytes.ts'

/** What changed at its source and was not taken: tools go on as they were accepted, and somebody has to be told why. */
export type RefusedDocument = { readonly says: string; readonly mend: readonly string[] }

/** Kept where every node and the command line find it: who fetched it is seldom who asks. */
export type RefusedDocuments = {
  /** `beside`: the hash of the document that stays. */
  readonly note: (place: RefusedPlace, beside: string, refusal: ToolError) => Promise<void>
  readonly forget: (place: RefusedPlace) => Promise<void>
  /** By name of the import. */
  readonly list: (tenant: string) => Promise<ReadonlyMap<string, NotedRefusal>>
}

export type RefusedPlace = { readonly tenant: string; readonly name: string }

const Noted = z.object({ beside: z.string(), says: z.string(), mend: z.array(z.string()) })
export type NotedRefusal = z.infer<typeof Noted>

const PREFIX = 'surehand.refused-document:'

export function createRefusedDocuments(values: ValueStore): RefusedDocuments {
  return {
    async note({ tenant, name }, beside, { message, details, suggestions = [] }) {
      const noted: NotedRefusal = {
        beside,
        says: `changed at its source, held back: ${sizesOf(details) ?? message}`,
        mend: [...suggestions],
      }
      const value = JSON.stringify(noted)
      // it is refused again every few minutes, and says the same
      if ((await values.get(tenant, PREFIX + name)) !== value)
        await values.set(tenant, PREFIX + name, value)
    },
    async forget({ tenant, name }) {
      // looked at first: a source is fetched again every few minutes, and nothing was noted of most
      if ((await values.get(tenant, PREFIX + name)) !== undefined)
        await values.delete(tenant, PREFIX + name)
    },
    async list(tenant) {
      const kept = await values.list(tenant, PREFIX)
      return new Map(
        kept.map(({ key, value }) => [key.slice(PREFIX.length), Noted.parse(JSON.parse(value))]),
      )
    },
  }
}

/** What was noted beside another document is over: somebody has replaced it since. */
export function refusedBeside(
  noted: NotedRefusal | undefined,
  document: string | undefined,
): RefusedDocument | undefined {
  if (noted === undefined || noted.beside !== document) return undefined
  return { says: noted.says, mend: noted.mend }
}

const Sizes = z.object({ bytes: z.number(), max_bytes: z.number() })

function sizesOf(details: unknown): string | undefined {
  const { data } = Sizes.safeParse(details)
  return data === undefined
    ? undefined
    : `with everything else of this tenant ${megabytes(data.bytes)} MB of at most ${megabytes(data.max_bytes)}`
}
