import {
  parseReference,
  piecesOf,
  type Reference,
  referenceText,
  textTemplate,
} from './reference.ts'

/**
 * What a program knows at one point of its run: by `input`, `steps.ID`, a loop's name, `answer`.
 */
export type Values = ReadonlyMap<string, unknown>

/** A template with everything it refers to filled in; what is not there is null. */
export function render(template: unknown, values: Values): unknown {
  const reference = referenceText(template)
  if (reference !== undefined) return read(reference, values)
  const text = textTemplate(template)
  if (text !== undefined) return renderText(text, values)
  if (Array.isArray(template)) return template.map((item) => render(item, values))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(
    Object.entries(template).map(([name, inner]) => [name, render(inner, values)]),
  )
}

/** A text with its references filled in; what is not there leaves nothing. */
export function renderText(text: string, values: Values): string {
  return piecesOf(text)
    .map((piece) =>
      'literal' in piece ? piece.literal : formatText(read(piece.reference, values)),
    )
    .join('')
}

/** What a reference refers to, or null. */
export function read(text: string, values: Values): unknown {
  const reference = parseReference(text)
  return typeof reference === 'string' ? null : readAt(reference, values)
}

function readAt({ base, path }: Reference, values: Values): unknown {
  let current = values.get(base)
  for (const step of path) current = memberOf(current, step)
  return current ?? null
}

// own members only: what an object inherits is not part of an answer
function memberOf(value: unknown, step: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
  if (Array.isArray(value) && !/^\d+$/.test(step)) return undefined
  return (value as Readonly<Record<string, unknown>>)[step]
}

function formatText(value: unknown): string {
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
