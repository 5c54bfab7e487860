import { AriaRole, Locale } from '@surehand/documents'
import type { SiteContract } from '../contract/site-contract.ts'
import type { SiteEvidence } from './site-evidence.ts'

/** A contract from what was found, for a person to review. It allows nothing that was not found. */
export function draftContract(evidence: SiteEvidence): SiteContract {
  const { origin, scan, robots, sitemap, openapi, graphql, search, actions } = evidence
  return {
    version: 1,
    name: scan.title.slice(0, 200) || new URL(origin).host,
    origins: [origin],
    openAllowList: [],
    locales: evidence.locales.filter((locale) => Locale.safeParse(locale).success),
    jsonLd: evidence.jsonLdTypes.slice(0, 100),
    landmarks: scan.landmarks.flatMap(({ role, name, selector }) => {
      const known = AriaRole.safeParse(role)
      return known.success
        ? [
            {
              role: known.data,
              selector,
              ...(name === undefined ? {} : { name: name.slice(0, 300) }),
            },
          ]
        : []
    }),
    actions: [...actions],
    ...(sitemap.pages > 0 ? { sitemap: sitemap.url } : {}),
    ...(robots.exists ? { robots: `${origin}/robots.txt` } : {}),
    ...(openapi === undefined ? {} : { openapi: openapi.url }),
    ...(graphql === undefined ? {} : { graphql }),
    ...(search === undefined || !evidence.isSearchReadable ? {} : { search }),
    speculationRules: scan.hasSpeculationRules,
    likelyPaths: [],
    forms: scan.forms
      .filter(({ method }) => method === 'post')
      .map(({ selector }) => ({ selector, confirm: true })),
    transcripts: 'off',
  }
}
