import type { VendorAccess } from '@surehand/vendors'
import type { FoundItem } from '../feed-item.ts'
import { createResponse, type ResponseContent } from './openai-responses.ts'
import {
  findPhone,
  isSocialHost,
  type SearchEngine,
  SOCIAL_DOMAINS,
  writeInstruction,
} from './search-engine.ts'

/** OpenAI's Responses API with web search. What the model cites is found; the rest is not used. */
export function openAiSearch(access: VendorAccess & { readonly model: string }): SearchEngine {
  return {
    name: 'openai',
    // POST /responses with the tool web_search (developers.openai.com, guide "Web search"): the answer
    // has web_search_call items and a message whose text carries url_citation annotations.
    async search(query, signal) {
      const body = {
        model: access.model,
        input: writeInstruction(query),
        tools: [
          {
            type: 'web_search',
            user_location: { type: 'approximate', country: query.country },
            ...(query.kind === 'social' && { filters: { allowed_domains: SOCIAL_DOMAINS } }),
          },
        ],
        tool_choice: 'required',
      }
      const contents = await createResponse(access, { tenant: query.tenant, body }, signal)
      const items = contents.flatMap(readCitations)
      return query.kind === 'social' ? items.filter(isSocial) : items
    },
  }
}

function readCitations({ text = '', annotations }: ResponseContent): FoundItem[] {
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
