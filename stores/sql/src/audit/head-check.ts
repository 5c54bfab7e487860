import { isSigned, type SignedHead } from './signed-head.ts'
import type { Trust } from './verifier.ts'

/**
 * Checks a single head: whether a trusted key signed it, and whether it matches an anchored head of
 * the same size.
 */
export function headFlaw(head: SignedHead, { publicKeys, anchors }: Trust): string | undefined {
  if (!isSigned(head, new Map(publicKeys.map((key) => [key.id, key]))))
    return `The head over ${head.size} records is not signed by a known key.`
  const other = anchors.find(
    ({ tenant, size, root }) => tenant === head.tenant && size === head.size && root !== head.root,
  )
  return other && `The head over ${head.size} records is not the one that was kept outside.`
}
