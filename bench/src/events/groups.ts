import type { ExaminedCase } from '../../../packs/events/testing/examine.ts'

export type Group = { readonly name: string; readonly holds: (one: ExaminedCase) => boolean }

const isPhoto: Group['holds'] = ({ made }) => made.kind === 'photo'
const isHeldOut: Group['holds'] = ({ made }) => made.heldOut

/** The goals are about these: no photos, nothing held out. */
export const CLEAN: Group = { name: 'clean', holds: (one) => !isPhoto(one) && !isHeldOut(one) }
export const CLEAN_HELD_OUT: Group = {
  name: 'clean, held out',
  holds: (one) => !isPhoto(one) && isHeldOut(one),
}
export const PHOTOS: Group = { name: 'photos', holds: (one) => isPhoto(one) && !isHeldOut(one) }

export const KINDS: readonly Group[] = [
  CLEAN,
  groupOfKind('  sentences', 'sentence', 'open'),
  groupOfKind('  pages', 'page', 'open'),
  groupOfKind('  flyers', 'flyer', 'open'),
  PHOTOS,
  CLEAN_HELD_OUT,
  groupOfKind('  sentences in the held-out language', 'sentence', 'held out'),
  groupOfKind('  flyers in held-out layouts', 'flyer', 'held out'),
  groupOfKind('photos, held-out layouts', 'photo', 'held out'),
]

/** One group for each value that occurs, sorted by name. */
export function groupsBy(
  examined: readonly ExaminedCase[],
  nameOf: (one: ExaminedCase) => string,
): readonly Group[] {
  return [...new Set(examined.map(nameOf))]
    .toSorted()
    .map((name) => ({ name, holds: (one) => nameOf(one) === name }))
}

function groupOfKind(
  name: string,
  of: ExaminedCase['made']['kind'],
  which: 'open' | 'held out',
): Group {
  return { name, holds: (one) => one.made.kind === of && isHeldOut(one) === (which === 'held out') }
}
