import { listPriceOptions } from './price-options.ts'
import { type Option, splitTokens } from './reply-tokens.ts'
import type { RequestTerms } from './request-terms.ts'
import { listStockOptions } from './stock-options.ts'

// What the second reader sees of a reply: for each possible answer the words, signs and findings that
// may speak for it. Which of them do is learned (testing/fit-reader.ts).

export type ReplyOptions = {
  readonly stock: readonly Option<boolean | null>[]
  readonly price: readonly Option<number | null>[]
}

/** The answers that a folded reply may give. */
export function listOptions(text: string, terms: RequestTerms | undefined): ReplyOptions {
  const tokens = splitTokens(text, terms)
  return {
    stock: listStockOptions(text, tokens, terms),
    price: listPriceOptions(text, tokens, terms),
  }
}
