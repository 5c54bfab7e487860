import { isRecord } from '@surehand/core/internal'

/**
 * `steps.find.items.0`: what is known under `base` (`input`, `steps.find`, a loop's name,
 * `answer`), and the way into it.
 */
export type Reference = {
  readonly text: string
  readonly base: string
  readonly path: readonly string[]
}

/** The names that are taken. */
export const RESERVED: ReadonlySet<string> = new Set(['input', 'steps', 'answer'])

/** A reference from its text; a string says what is wrong with it. */
export function parseReference(text: string): Reference | string {
  const [first = '', ...rest] = text.split('.')
  if (/[[\]]/.test(text))
    return `"${text}" is no reference: an item is named by its number behind a dot, as in items.0`
  if (/\s/.test(text) || first === '' || rest.includes(''))
    return `"${text}" is no reference: write input.x, steps.ID.x or the name of a loop`
  if (first !== 'steps') return { text, base: first, path: rest }
  const [id, ...path] = rest
  return id === undefined
    ? '"steps" alone is no reference: name the step, as in steps.ID'
    : { text, base: `steps.${id}`, path }
}

/** The text of a `$ref`, if a template is one. */
export function referenceText(template: unknown): string | undefined {
  return isRecord(template) && typeof template.$ref === 'string' ? template.$ref : undefined
}

/** The text of a `$text`, if a template is one. */
export function textTemplate(template: unknown): string | undefined {
  return isRecord(template) && typeof template.$text === 'string' ? template.$text : undefined
}

export type Piece = { readonly literal: string } | { readonly reference: string }

const PIECE = /\{\{|\}\}|\{(?<reference>[^{}]*)\}|[{}]|[^{}]+/g

/**
 * A text with references in braces; `{{` and `}}` are braces. A brace that stands alone is a piece
 * of its own.
 */
export function piecesOf(text: string): readonly Piece[] {
  return [...text.matchAll(PIECE)].map(([all, reference]) => {
    if (reference !== undefined) return { reference }
    return { literal: all === '{{' ? '{' : all === '}}' ? '}' : all }
  })
}

/** Is there a brace in it that neither opens nor closes a reference? */
export function hasLooseBrace(text: string): boolean {
  return [...text.matchAll(PIECE)].some(([all]) => all === '{' || all === '}')
}
