import { defineTool } from '@surehand/core'
import { AriaRole, Locale, Url } from '@surehand/documents'
import { z } from 'zod'
import { SiteContract } from '../contract/site-contract.ts'
import { backgroundGates } from '../siteops/siteops-contract.ts'
import { operatorOnly } from '../write-request.ts'
import { siteInspector } from './inspector-port.ts'
import { judgeReadiness } from './readiness.ts'
import type { SiteEvidence } from './site-evidence.ts'

export const inspectSite = defineTool({
  id: 'site.inspect',
  title: 'Inspect a site',
  category: 'site',
  description:
    'Reads a site from outside (robots.txt, sitemap, some pages, actions.json, OpenAPI, GraphQL) and returns a draft of its contract and a report: how ready it is for agents, from 0 to 100, and how to fix each point. Nothing is stored: review the contract and connect it with site.connect.',
  input: z.object({ url: Url }),
  output: z.object({
    score: z.int(),
    points: z.array(
      z.object({
        id: z.string(),
        what: z.string(),
        points: z.number(),
        weight: z.number(),
        found: z.string(),
        fix: z.string().optional(),
      }),
    ),
    contract: SiteContract,
    actionsUrl: z
      .string()
      .optional()
      .describe('Import it with "surehand import actions site URL".'),
  }),
  contract: {
    ...operatorOnly,
    effect: 'none',
    auth: 'service',
    latencyBudget: '10s',
    timeout: '60s',
    retries: 0,
    gates: backgroundGates,
  },
  ports: { inspector: siteInspector },
  examples: [{ name: 'a shop', input: { url: 'https://shop.example/' } }],
  execute: async ({ input: { url }, caller, ports, signal }) => {
    const evidence = await ports.inspector.look({ tenant: caller.tenant, url }, signal)
    const { score, points } = judgeReadiness(evidence)
    return {
      score,
      points: points.map(({ fix, ...point }) => ({
        ...point,
        ...(fix === undefined ? {} : { fix }),
      })),
      contract: draftContract(evidence),
      ...(evidence.actionsUrl === undefined ? {} : { actionsUrl: evidence.actionsUrl }),
    }
  },
})

/** A contract from what was found, for a person to review. It allows nothing that was not found. */
function draftContract(evidence: SiteEvidence): SiteContract {
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
