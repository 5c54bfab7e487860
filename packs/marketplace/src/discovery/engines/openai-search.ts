import { ToolError } from '@surehand/core'
import { sendJson, type VendorAccess } from '@surehand/vendors'
import { z } from 'zod'
import type { FoundItem } from '../feed-item.ts'
import {
  findPhone,
  isSocialHost,
  type SearchEngine,
  SOCIAL_DOMAINS,
  writeInstruction,
} from './search-engine.ts'

// POST /responses with the tool web_search (developers.openai.com, guide "Web search"): the answer has
// web_search_call items and a message whose text carries url_citation annotations.
const Annotation = z.object({
  type: z.string(),
  url: z.string().optional(),
  title: z.string().optional(),
  start_index: z.int().optional(),
  end_index: z.int().optional(),
})
const Content = z.object({
  type: z.string(),
  text: z.string().optional(),
  annotations: z.array(Annotation).default([]),
})
const Answer = z.object({
  status: z.string(),
  error: z.object({ message: z.string() }).nullish(),
  output: z.array(z.object({ type: z.string(), content: z.array(Content).default([]) })),
})

/** OpenAI's Responses API with web search. What the model cites is found; the rest is not used. */
export function openAiSearch(access: VendorAccess & { readonly model: string }): SearchEngine {
  const { baseUrl, key, fetchFor, model } = access
  return {
    name: 'openai',
    async search(query, signal) {
      const answer = await sendJson(
        fetchFor(query.tenant),
        {
          vendor: 'OpenAI',
          url: `${baseUrl}/responses`,
          method: 'POST',
          headers: { authorization: `Bearer ${key}` },
          body: {
            model,
            input: writeInstruction(query),
            tools: [
              {
                type: 'web_search',
                user_location: { type: 'approximate', country: query.country },
                ...(query.kind === 'social' && { filters: { allowed_domains: SOCIAL_DOMAINS } }),
              },
            ],
            tool_choice: 'required',
            // OpenAI would otherwise keep the search for thirty days.
            store: false,
          },
          signal,
        },
        Answer,
      )
      if (answer.status === 'failed') throw failureError(answer.error?.message)
      const contents = answer.output.flatMap(({ type, content }) =>
        type === 'message' ? content : [],
      )
      const items = contents.flatMap(readCitations)
      return query.kind === 'social' ? items.filter(isSocial) : items
    },
  }
}

function readCitations({ text = '', annotations }: z.output<typeof Content>): FoundItem[] {
  return annotations
    .filter(({ type }) => type === 'url_citation')
    .map(({ url, title, start_index: start = 0, end_index: end = start }) => {
      const line = lineAround(text, start, end)
      return { title: title ?? '', url, snippet: line, phone: findPhone(line) }
    })
}

// A citation marks a link in the line about its page; links are not for reading.
function lineAround(text: string, start: number, end: number): string {
  const from = text.lastIndexOf('\n', Math.max(0, start - 1)) + 1
  const to = text.indexOf('\n', end)
  return text
    .slice(from, to === -1 ? undefined : to)
    .replace(/\(?\[([^\]]{0,200})\]\([^)]{0,2000}\)\)?/g, '')
    .replace(/^[\s\d.*-]+/, '')
    .replaceAll('**', '')
    .trim()
}

function isSocial({ url }: FoundItem): boolean {
  return url !== undefined && URL.canParse(url) && isSocialHost(new URL(url).hostname)
}

function failureError(message = 'no reason given'): ToolError {
  return new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', `OpenAI could not search: ${message}`)
}
