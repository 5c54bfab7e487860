/** A piece of a page; only `html` makes one, so nothing unescaped gets in. */
export type Html = { readonly markup: string }

type Piece = Html | string | number | undefined | readonly Html[]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** Markup as written, with everything that is filled in escaped. */
export function html(markup: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return {
    markup: markup.reduce(
      (text, part, index) => text + part + (index < pieces.length ? filled(pieces[index]) : ''),
      '',
    ),
  }
}

function filled(piece: Piece): string {
  if (piece === undefined) return ''
  if (typeof piece === 'string' || typeof piece === 'number') return escaped(String(piece))
  return 'markup' in piece ? piece.markup : piece.map(({ markup }) => markup).join('')
}
