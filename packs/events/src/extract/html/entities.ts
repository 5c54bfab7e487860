const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['ndash', '–'],
  ['mdash', '—'],
  ['hellip', '…'],
  ['rsquo', '’'],
  ['lsquo', '‘'],
  ['rdquo', '”'],
  ['ldquo', '“'],
  ['bdquo', '„'],
  ['laquo', '«'],
  ['raquo', '»'],
  ['middot', '·'],
  ['bull', '•'],
  ['euro', '€'],
  ['pound', '£'],
  ['copy', '©'],
  ['reg', '®'],
  ['trade', '™'],
  ['szlig', 'ß'],
  ['iexcl', '¡'],
  ['iquest', '¿'],
  ['ordm', 'º'],
  ['ordf', 'ª'],
  ['oelig', 'œ'],
  ['OElig', 'Œ'],
  ['aelig', 'æ'],
  ['oslash', 'ø'],
  ['Oslash', 'Ø'],
  ['times', '×'],
  ['deg', '°'],
  ['shy', ''],
])
const ACCENTS: ReadonlyMap<string, string> = new Map([
  ['grave', '\u0300'],
  ['acute', '\u0301'],
  ['circ', '\u0302'],
  ['tilde', '\u0303'],
  ['uml', '\u0308'],
  ['ring', '\u030a'],
  ['cedil', '\u0327'],
])

/** Text of a page with its character references written out; one that is not known stays as it is. */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED.get(name) ?? accented(name) ?? whole
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
        ? String.fromCodePoint(code)
        : whole
    },
  )
}

// &eacute; is an e with an acute
function accented(name: string): string | undefined {
  const mark = ACCENTS.get(name.slice(1))
  return mark === undefined ? undefined : `${name.charAt(0)}${mark}`.normalize('NFC')
}
