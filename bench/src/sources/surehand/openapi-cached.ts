import { fromCache } from '../../../../sources/openapi/src/index.ts'
import { DOCUMENTS, type DocumentId } from '../documents.ts'
import type { Work } from '../work.ts'
import { createTools } from './create-tools.ts'

/** A cache entry is found by its key, so the key is not computed from the document again. */
export const CACHE_KEY = 'bench'

export function surehandCached(document: DocumentId): Work {
  return {
    takes: 'bytes',
    create(bytes) {
      const read = fromCache(bytes, CACHE_KEY)
      if (read === undefined) throw new Error('the cache entry cannot be read')
      return createTools(read, DOCUMENTS[document].name)
    },
  }
}
