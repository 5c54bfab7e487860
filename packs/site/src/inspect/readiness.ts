import type { SiteEvidence } from './site-evidence.ts'

/** One point of the readiness report. */
export type ReadinessPoint = {
  readonly id: string
  readonly what: string
  /** 0 to `weight`. */
  readonly points: number
  readonly weight: number
  /** What was found. */
  readonly found: string
  /** How to fix it; undefined where nothing is missing. */
  readonly fix: string | undefined
}

export type Readiness = { readonly score: number; readonly points: readonly ReadinessPoint[] }

type Judged = { readonly part: number; readonly found: string }
type Rule = {
  readonly id: string
  readonly what: string
  readonly weight: number
  readonly fix: string
  readonly judge: (evidence: SiteEvidence) => Judged
}

const yes = (is: boolean, found: string, missing: string): Judged => ({
  part: is ? 1 : 0,
  found: is ? found : missing,
})
const share = (some: number, all: number, what: string): Judged => ({
  part: all === 0 ? 1 : some / all,
  found: all === 0 ? `no ${what} on the pages that were read` : `${some} of ${all} ${what}`,
})

const RULES: readonly Rule[] = [
  {
    id: 'https',
    what: 'Pages are served over HTTPS',
    weight: 8,
    fix: 'Serve every page over HTTPS and redirect http:// to it.',
    judge: ({ origin, isLocal }) =>
      yes(origin.startsWith('https:') || isLocal, isLocal ? 'a local site' : 'HTTPS', 'plain HTTP'),
  },
  {
    id: 'robots',
    what: 'robots.txt lets agents read the site',
    weight: 8,
    fix: 'Publish /robots.txt that allows SurehandBot to read public pages and names the sitemap.',
    judge: ({ robots }) =>
      yes(
        robots.isAllowed,
        robots.exists ? 'robots.txt allows the pages' : 'no robots.txt: everything is allowed',
        'robots.txt forbids the pages',
      ),
  },
  {
    id: 'sitemap',
    what: 'A sitemap lists the pages',
    weight: 12,
    fix: 'Publish /sitemap.xml with every public page, and name it in robots.txt.',
    judge: ({ sitemap }) => yes(sitemap.pages > 0, `${sitemap.pages} pages`, 'no sitemap'),
  },
  {
    id: 'lastmod',
    what: 'The sitemap says when pages changed',
    weight: 5,
    fix: 'Add <lastmod> to the entries of the sitemap, as W3C datetime.',
    judge: ({ sitemap }) =>
      sitemap.pages === 0
        ? { part: 0, found: 'no sitemap' }
        : share(sitemap.withLastmod, sitemap.pages, 'entries have a date'),
  },
  {
    id: 'structured-data',
    what: 'Products, articles and the shop are described by JSON-LD',
    weight: 12,
    fix: 'Add JSON-LD of schema.org: Product with offers on product pages, Organization on the start page.',
    judge: ({ jsonLdTypes, pages }) => ({
      part: Math.min(1, pages.withJsonLd / Math.max(1, pages.read)),
      found: jsonLdTypes.length === 0 ? 'no JSON-LD' : jsonLdTypes.join(', '),
    }),
  },
  {
    id: 'landmarks',
    what: 'Pages have the landmarks main and navigation',
    weight: 10,
    fix: 'Use <main> and <nav aria-label="…"> (or the ARIA roles) on every page.',
    judge: ({ pages }) => share(pages.withLandmarks, pages.read, 'pages have both'),
  },
  {
    id: 'language',
    what: 'Pages state their language',
    weight: 4,
    fix: 'Set <html lang="…"> to the language of the page.',
    judge: ({ pages }) => share(pages.withLanguage, pages.read, 'pages state it'),
  },
  {
    id: 'titles',
    what: 'Pages have a title and a description',
    weight: 4,
    fix: 'Give each page a <title> and <meta name="description"> of its own.',
    judge: ({ pages }) => share(pages.withTitle, pages.read, 'pages have both'),
  },
  {
    id: 'labels',
    what: 'Form fields have labels',
    weight: 7,
    fix: 'Connect every field to a <label for="…">, or give it an aria-label.',
    judge: ({ scan }) => share(scan.fieldsWithLabel, scan.fields, 'fields have a label'),
  },
  {
    id: 'data-actions',
    what: 'Buttons say what they do in data-action',
    weight: 8,
    fix: 'Add data-action to every button, such as data-action="product.addToCart".',
    judge: ({ scan }) => share(scan.buttonsWithAction, scan.buttons, 'buttons have one'),
  },
  {
    id: 'actions-file',
    what: 'actions.json describes the actions',
    weight: 6,
    fix: 'Publish /actions.json: { version, actions: [{ id, selector, params, description, sideEffects }] }.',
    judge: ({ actions }) => yes(actions.length > 0, `${actions.length} actions`, 'no actions.json'),
  },
  {
    id: 'api',
    what: 'An API is described by OpenAPI or GraphQL',
    weight: 10,
    fix: 'Publish /openapi.json (3.1) and mark what agents may call with x-agent: { action: true }.',
    judge: ({ openapi, graphql }) => ({
      part:
        openapi === undefined
          ? graphql === undefined
            ? 0
            : 0.8
          : openapi.agentActions > 0
            ? 1
            : 0.7,
      found:
        openapi === undefined
          ? graphql === undefined
            ? 'neither'
            : 'GraphQL'
          : `OpenAPI with ${openapi.operations} operations, ${openapi.agentActions} of them for agents`,
    }),
  },
  {
    id: 'search',
    what: 'The site has a search',
    weight: 3,
    fix: 'Offer a search, and describe it as SearchAction in the JSON-LD of the start page.',
    judge: ({ search, scan }) =>
      yes(search !== undefined || scan.hasSearchForm, search ?? 'a search form', 'none'),
  },
  {
    id: 'speculation',
    what: 'Likely pages are loaded beforehand',
    weight: 3,
    fix: 'Add <script type="speculationrules"> with the pages that visitors open next.',
    judge: ({ scan }) => yes(scan.hasSpeculationRules, 'Speculation Rules', 'none'),
  },
]

/** How ready a site is for agents, from 0 to 100, and how to fix what is missing. */
export function judgeReadiness(evidence: SiteEvidence): Readiness {
  const points = RULES.map(({ id, what, weight, fix, judge }) => {
    const { part, found } = judge(evidence)
    return {
      id,
      what,
      points: Math.round(weight * part * 10) / 10,
      weight,
      found,
      fix: part >= 1 ? undefined : fix,
    }
  })
  const most = points.reduce((sum, { weight }) => sum + weight, 0)
  const reached = points.reduce((sum, point) => sum + point.points, 0)
  return { score: Math.round((100 * reached) / most), points }
}
