import type { Tool } from './tool.ts'

/**
 * A page of a pack in the console. It is loaded when it is first opened, reads by calling tools in
 * the name of the person who looks, and returns blocks: the console draws them, so that no markup
 * and no script of a pack, or of the texts in its data, reaches the browser.
 *
 * @example
 * const pack = definePack({
 *   name: 'weather',
 *   tools: [weather],
 *   views: [
 *     {
 *       name: 'today',
 *       title: 'Weather today',
 *       summary: 'The weather of one city.',
 *       tools: ['weather.today'],
 *       fields: { city: 'City' },
 *       load: async () => ({
 *         show: async ({ fields, call }) => [
 *           { kind: 'values', title: 'Today', value: await call('weather.today', fields) },
 *         ],
 *       }),
 *     },
 *   ],
 * })
 */
export type PackView = {
  /** Lower-case letters, digits and hyphens; the address is `/console/views/PACK/NAME`. */
  readonly name: string
  readonly title: string
  readonly summary: string
  /** The tools of the pack that it reads. A person who may not use them all is not offered it. */
  readonly tools: readonly string[]
  /** What may be given in its address, with the label of each. */
  readonly fields?: Readonly<Record<string, string>>
  /** `live`: the console reads it again every few seconds. Default: when it is opened. */
  readonly refresh?: 'live'
  /** The module of the view. */
  readonly load: () => Promise<ViewModule>
}

export type ViewModule = {
  readonly show: (context: ViewContext) => Promise<readonly ViewBlock[]>
}

export type ViewContext = {
  /** The given fields; one that was left empty is missing. */
  readonly fields: Readonly<Record<string, string>>
  /**
   * Reads with one of the view's tools, through the pipeline and as the person who looks. Throws the
   * error of a call that was not done, and for a tool that changes something.
   */
  readonly call: (tool: string, input: unknown) => Promise<unknown>
  /** The open questions of the pack's tools that this person may see. */
  readonly questions: () => Promise<readonly ViewQuestion[]>
}

export type ViewQuestion = {
  readonly id: string
  readonly asks: string
  /** The proposed answer; undefined where there is none. */
  readonly draft: unknown
  readonly expiresAt: number
}

type Tone = 'good' | 'warn' | 'bad'

/** A text, or a link to a view of the same pack, to a question, or to nothing. */
export type ViewCell =
  | string
  | {
      readonly text: string
      readonly view?: string
      readonly fields?: Readonly<Record<string, string>>
      readonly question?: string
      readonly tone?: Tone
    }

export type ViewBlock =
  | { readonly kind: 'text'; readonly text: string; readonly tone?: Tone }
  | { readonly kind: 'values'; readonly title: string; readonly value: unknown }
  | {
      readonly kind: 'table'
      readonly title: string
      readonly columns: readonly string[]
      readonly rows: readonly (readonly ViewCell[])[]
      /** Shown instead of an empty table. */
      readonly empty: string
    }
  | {
      readonly kind: 'timeline'
      readonly title: string
      readonly entries: readonly {
        /** When, as the reader is shown it: an ISO time, or words such as `09:00–10:30`. */
        readonly at: string
        readonly title: string
        readonly text?: string | undefined
        readonly tone?: Tone | undefined
        /** Of a conversation: what others said stands on the left, what we said on the right. */
        readonly side?: 'left' | 'right' | undefined
      }[]
      readonly empty: string
    }
  | {
      readonly kind: 'map'
      readonly title: string
      readonly places: readonly {
        readonly name: string
        readonly latitude: number
        readonly longitude: number
        readonly note?: string | undefined
      }[]
      readonly empty: string
    }
  /** A picture that this server serves; others are shown as their address. */
  | { readonly kind: 'image'; readonly source: string; readonly description: string }

/** Throws for a view that could not be opened. */
export function checkViews({
  name: pack,
  tools,
  views = [],
}: {
  readonly name: string
  readonly tools: readonly Tool[]
  readonly views?: readonly PackView[]
}): readonly PackView[] {
  const names = new Set<string>()
  const known = new Set(tools.map(({ id }) => id))
  for (const view of views) {
    if (!/^[a-z][a-z0-9-]*$/.test(view.name) || names.has(view.name))
      throw new TypeError(
        `The view "${view.name}" of pack "${pack}" needs a name of its own, of lower-case letters, digits and hyphens.`,
      )
    names.add(view.name)
    const missing = view.tools.find((tool) => !known.has(tool))
    if (missing !== undefined)
      throw new TypeError(
        `The view "${view.name}" of pack "${pack}" reads "${missing}", which is no tool of the pack.`,
      )
  }
  return Object.freeze([...views])
}
