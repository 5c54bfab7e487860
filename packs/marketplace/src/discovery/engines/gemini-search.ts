import type { VendorAccess } from '@surehand/vendors'
import { z } from 'zod'
import type { FoundItem } from '../feed-item.ts'
import { generateContent } from './gemini-generate.ts'
import { findPhone, isSocialHost, type SearchEngine, writeInstruction } from './search-engine.ts'

// POST /v1beta/models/MODEL:generateContent with the tool google_search (ai.google.dev, "Grounding with
// Google Search"): groundingChunks are the pages, groundingSupports say which text a page supports.
const Grounding = z.object({
  groundingChunks: z
    .array(
      z.object({
        web: z.object({ uri: z.string().optional(), title: z.string().optional() }).optional(),
      }),
    )
    .default([]),
  groundingSupports: z
    .array(
      z.object({
        segment: z.object({ text: z.string().optional() }).optional(),
        groundingChunkIndices: z.array(z.int()).default([]),
        confidenceScores: z.array(z.number()).default([]),
      }),
    )
    .default([]),
})
const Candidate = z.object({ groundingMetadata: Grounding.optional() })

/** Gemini with Google Search. The pages it is grounded on are found; its own text is a snippet. */
export function geminiSearch(access: VendorAccess & { readonly model: string }): SearchEngine {
  return {
    name: 'gemini',
    async search(query, signal) {
      const text = `${writeInstruction(query)}\nCountry: ${query.country}`
      const body = {
        contents: [{ role: 'user', parts: [{ text }] }],
        tools: [{ google_search: {} }],
      }
      const order = { tenant: query.tenant, body, candidate: Candidate }
      const items = readGrounding((await generateContent(access, order, signal))?.groundingMetadata)
      return query.kind === 'social' ? items.filter(isSocial) : items
    },
  }
}

function readGrounding(grounding: z.output<typeof Grounding> | undefined): readonly FoundItem[] {
  if (grounding === undefined) return []
  return grounding.groundingChunks.flatMap(({ web }, index) => {
    if (web === undefined) return []
    const supports = grounding.groundingSupports.filter(({ groundingChunkIndices }) =>
      groundingChunkIndices.includes(index),
    )
    const snippet = supports
      .map(({ segment }) => segment?.text ?? '')
      .join(' ')
      .trim()
    const scores = supports.flatMap(({ groundingChunkIndices, confidenceScores }) => {
      const score = confidenceScores[groundingChunkIndices.indexOf(index)]
      return score === undefined ? [] : [score]
    })
    return [
      {
        title: web.title ?? '',
        url: web.uri,
        snippet,
        phone: findPhone(snippet),
        ...(scores.length > 0 && { confidence: Math.min(1, Math.max(0, ...scores)) }),
      },
    ]
  })
}

// The addresses are Google's redirects, and the title of a page is its host.
function isSocial({ title, url }: FoundItem): boolean {
  const host = url !== undefined && URL.canParse(url) ? new URL(url).hostname : ''
  return isSocialHost(host) || isSocialHost(title.toLowerCase().replace(/^www\./, ''))
}
