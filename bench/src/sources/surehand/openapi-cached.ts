import { fromCache } from '../../../../sources/openapi/src/index.ts'
import { DOCUMENTS, type DocumentId } from '../documents.ts'
import type { Work } from '../work.ts'
import { madeOf } from './made-of.ts'

/** Whoever keeps entries knows their key: it is not made again from the document. */
export const CACHE_KEY = 'bench'

export function surehandCached(document: DocumentId): Work {
  return {
    takes: 'bytes',
    make(bytes) {
      const read = fromCache(bytes, CACHE_KEY)
      if (read === undefined) throw new Error('the entry is not whole')
      return madeOf(read, DOCUMENTS[document].name)
    },
  }
}
