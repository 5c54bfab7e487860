/** A piece of a page. Only `html` creates one, so unescaped text cannot get into it. */
export type Html = { readonly markup: string }

type Piece = Html | string | number | undefined | readonly Html[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** The markup of the template, with every inserted text escaped. */
export function html(markup: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return {
    markup: markup.reduce(
      (text, part, index) => text + part + (index < pieces.length ? insertText(pieces[index]) : ''),
      '',
    ),
  }
}

function insertText(piece: Piece): string {
  if (piece === undefined) return ''
  if (typeof piece === 'string' || typeof piece === 'number') return escapeText(String(piece))
  return 'markup' in piece ? piece.markup : piece.map(({ markup }) => markup).join('')
}
