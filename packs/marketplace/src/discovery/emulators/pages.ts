/** A page of the emulated web. */
export type EmulatedPage = { readonly url: string; readonly title: string; readonly about: string }

const PAGES: readonly (EmulatedPage & { readonly words: RegExp })[] = [
  {
    url: 'https://kimironko-pharmacy.example/amoxicillin',
    title: 'Kimironko Pharmacy',
    about: '**Kimironko Pharmacy** has amoxicillin and other antibiotics, +250 788 000 101.',
    words: /amoxi|pharmac|paracetamol|medicine|augmentin/i,
  },
  {
    url: 'https://remera-chemist.example/',
    title: 'Remera Chemist',
    about: '**Remera Chemist** is a pharmacy that is open until 22:00.',
    words: /amoxi|pharmac|paracetamol|medicine/i,
  },
  {
    url: 'https://tyres-nyabugogo.example/shop',
    title: 'Tyres Nyabugogo',
    about: '**Tyres Nyabugogo** sells tyres 175/70 R13 and fits them.',
    words: /tyre|tire|pneu|amapine/i,
  },
  {
    url: 'https://kigali-decor.example/weddings',
    title: 'Kigali Decor',
    about: '**Kigali Decor** decorates weddings in and around Kigali.',
    words: /wedding|decorat/i,
  },
  {
    url: 'https://www.instagram.com/kigali.decor.example',
    title: 'Kigali Decor (@kigali.decor.example)',
    about: 'Kigali Decor on Instagram: weddings and parties.',
    words: /wedding|decorat|tailor|profiles/i,
  },
  {
    url: 'https://www.linkedin.com/company/kimironko-pharmacy-example',
    title: 'Kimironko Pharmacy | LinkedIn',
    about: 'Kimironko Pharmacy on LinkedIn.',
    words: /pharmac|amoxi|profiles/i,
  },
]

/** The pages that match words of a request; only those of the domains, where some are given. */
export function searchPages(
  asked: string,
  domains?: readonly string[] | undefined,
): readonly EmulatedPage[] {
  return PAGES.filter(({ words, url }) => {
    const { hostname } = new URL(url)
    const isWanted =
      domains === undefined ||
      domains.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`))
    return isWanted && words.test(asked)
  })
}
