import type { Approval } from '../../api/types.ts'

/** What the approver must see, as the server stores it; invisible characters are spelled out. */
export type ShownRequest = {
  readonly title: string
  readonly version: string
  readonly reversible: boolean
  readonly effect: string
  readonly asked_by: string
  readonly actor: string
  readonly edited_by?: string
  readonly asks: string
  readonly summary?: Readonly<Record<string, unknown>>
  readonly consequence?: string
  readonly part_of?: readonly string[]
  readonly input: unknown
  readonly facts?: unknown
  readonly facts_hash?: string
  readonly changed?: readonly {
    readonly path: string
    readonly before?: unknown
    readonly after?: unknown
  }[]
}

/** The digest of a decision is made of this very text, so it is read and never made anew. */
export function readShown({ shown }: Pick<Approval, 'shown'>): ShownRequest {
  return JSON.parse(shown) as ShownRequest
}
