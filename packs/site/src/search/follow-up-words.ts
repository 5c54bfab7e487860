type Context = 'catalog' | 'blog' | 'docs'

const WORDS: Readonly<Record<string, Readonly<Record<Context, (title: string) => string>>>> = {
  en: {
    catalog: (title) => `Look at ${title}`,
    blog: (title) => `Read “${title}”`,
    docs: (title) => `How it works: ${title}`,
  },
  de: {
    catalog: (title) => `${title} ansehen`,
    blog: (title) => `„${title}“ lesen`,
    docs: (title) => `So geht es: ${title}`,
  },
  fr: {
    catalog: (title) => `Voir ${title}`,
    blog: (title) => `Lire « ${title} »`,
    docs: (title) => `Comment faire : ${title}`,
  },
  es: {
    catalog: (title) => `Ver ${title}`,
    blog: (title) => `Leer «${title}»`,
    docs: (title) => `Cómo funciona: ${title}`,
  },
}

/** The language of a locale, if follow-ups are known in it; otherwise English. */
export function languageOf(locale: string | undefined): string {
  const language = locale?.split('-')[0]?.toLowerCase() ?? 'en'
  return language in WORDS ? language : 'en'
}

/** A follow-up about a page, in the visitor's language. */
export function followUpWords(language: string, context: Context, title: string): string {
  const words = WORDS[language] ?? WORDS.en
  return words === undefined ? title : words[context](title)
}
