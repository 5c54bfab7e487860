import { MEDICINES } from './medicines.ts'

/** A medicine that a line names. */
export type MedicineMatch = {
  /** The generic name. */
  readonly name: string
  /** As it is written in the line. */
  readonly written: string
  /** `similar`: no name of the list, but close to one. */
  readonly kind: 'named' | 'similar'
  /** How surely the words mean this medicine, from 0 to 1. */
  readonly quality: number
  /** Positions of its words among those of the line. */
  readonly from: number
  readonly to: number
}

/**
 * A name that is only similar is never taken for sure: many medicines differ by one or two letters
 * (prednisone, prednisolone), and one that is not in the list may look like one that is. It stays
 * below the 0.75 from which nobody is asked.
 */
const SIMILAR = 0.7
const AMBIGUOUS = 0.5
/** Equal but for letters that a reader of pictures confuses. */
const CONFUSED = 0.88
/** Something else in the name, as in "Panadol Extra": another product than the plain one. */
const QUALIFIED = 0.65
/** Short brand names are close to each other: plavix, clavox. */
const CONFUSED_LENGTH = 8
const SHORT_NAME = 4
const LONGEST_NAME = 4

const QUALIFIERS = new Set(
  'extra plus duo co cold flu night n c g h hct am max advance actifed ultra compound codeine caffeine sr xr la mr retard'.split(
    ' ',
  ),
)

/** Words that stand beside a name and are no part of it. */
const BESIDE = new Set(
  'tab tabs tablet tablets cap caps capsule capsules caplet caplets syrup syr sirop susp suspension inj injection injectable amp ampoule vial vials cream creme ointment pommade gel lotion drops drop gouttes collyre inhaler puffs spray sachet sachets supp suppository suppositoire ovule comprime comprimes gelule gelules oral orale for pendant twice once daily every each take prendre box boxes boite boites bottle bottles bouteille flacon tube tubes strip strips plaquette pack packs paquet stat nocte mane sodium potassium hydrochloride chlorhydrate sulphate sulfate phosphate maleate besylate acetate citrate calcium magnesium matin soir midi morning evening night days jours weeks semaines times fois adult adulte child children enfant pediatric infant forte junior baby then puis with avec water food meals repas need please also and the'.split(
    ' ',
  ),
)

const byName = new Map<string, string>()
const bySkeleton = new Map<string, string | undefined>()
for (const { name, spellings } of MEDICINES)
  for (const spelling of spellings) {
    const folded = foldName(spelling)
    byName.set(folded, name)
    const skeleton = skeletonOf(folded)
    const other = bySkeleton.get(skeleton)
    bySkeleton.set(skeleton, bySkeleton.has(skeleton) && other !== name ? undefined : name)
  }
const SINGLE_WORDS = [...byName].filter(
  ([spelling]) => !spelling.includes(' ') && spelling.length > SHORT_NAME,
)

/** The words of a line as they are compared with names. */
export function splitWords(line: string): readonly string[] {
  return line.split(/[\s,;:()[\]+/&"“”]+|(?<=[a-zA-Z]{3})\.(?=\s|$)/).filter((word) => word !== '')
}

/** The medicine that the words name; the longest exact name is preferred to any similar one. */
export function matchMedicine(words: readonly string[]): MedicineMatch | undefined {
  const folded = words.map(foldName)
  return (
    findNamed(words, folded, byName, 1) ??
    findNamed(words, folded.map(skeletonOf), bySkeleton, CONFUSED) ??
    findSimilar(words, folded)
  )
}

function findNamed(
  words: readonly string[],
  keys: readonly string[],
  names: ReadonlyMap<string, string | undefined>,
  quality: number,
): MedicineMatch | undefined {
  for (let length = Math.min(LONGEST_NAME, keys.length); length >= 1; length--)
    for (let from = 0; from + length <= keys.length; from++) {
      const key = keys.slice(from, from + length).join(' ')
      const name = names.get(key)
      if (name === undefined || (quality < 1 && key.length < CONFUSED_LENGTH)) continue
      // "Panadol Extra": the question must name the product that is written.
      const to = from + length + (QUALIFIERS.has(foldName(words[from + length] ?? '')) ? 1 : 0)
      const match = {
        name,
        kind: 'named',
        written: words.slice(from, to).join(' '),
        from,
        to,
      } as const
      return { ...match, quality: quality * judgeNeighbours(words, match) }
    }
  return undefined
}

// "Panadol Extra" and "amoxicillin + something" are other products than their first word.
function judgeNeighbours(
  words: readonly string[],
  { name, from, to }: Pick<MedicineMatch, 'name' | 'from' | 'to'>,
): number {
  if (QUALIFIERS.has(foldName(words[to - 1] ?? ''))) return QUALIFIED
  const others = [...words.slice(0, from), ...words.slice(to)]
    .map(foldName)
    .map((word) => byName.get(word))
    .filter((other) => other !== undefined && other !== name && !name.includes(other))
  if (others.length > 0) return QUALIFIED
  return isPartOfName(words[from - 1]) || isPartOfName(words[to]) ? QUALIFIED : 1
}

// "Diclofenac paraketamol": a long unknown word beside a name may make it another product.
function isPartOfName(word: string | undefined): boolean {
  const folded = foldName(word ?? '')
  return /^[a-z]{5,}$/.test(folded) && !BESIDE.has(folded)
}

function findSimilar(
  words: readonly string[],
  folded: readonly string[],
): MedicineMatch | undefined {
  let best: (MedicineMatch & { readonly distance: number }) | undefined
  for (const [from, word] of folded.entries()) {
    if (word.length < 5 || !/^[a-z-]+$/.test(word)) continue
    const allowed = word.length >= 8 ? 2 : 1
    const near = SINGLE_WORDS.map(([spelling, name]) => ({
      name,
      distance: editDistance(word, spelling, allowed),
    })).filter(({ distance }) => distance <= allowed)
    const distance = Math.min(...near.map((one) => one.distance))
    const names = new Set(near.filter((one) => one.distance === distance).map((one) => one.name))
    const [name] = names
    if (name === undefined || (best !== undefined && best.distance <= distance)) continue
    const quality = names.size > 1 ? AMBIGUOUS : SIMILAR - 0.05 * (distance - 1)
    best = {
      name,
      kind: 'similar',
      written: words[from] ?? '',
      quality,
      from,
      to: from + 1,
      distance,
    }
  }
  return best
}

function foldName(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[’'"`.]/g, '')
    .replace(/^[-*•]+|[-*]+$/g, '')
    .replace(/\//g, ' ')
    .trim()
}

function skeletonOf(name: string): string {
  return name
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .replace(/[1il|!]/g, 'l')
    .replace(/[0oq]/g, 'o')
    .replace(/5/g, 's')
    .replace(/8/g, 'b')
    .replace(/[ -]/g, ' ')
}

/** The number of changed letters, or more than `most` where it is certainly more. */
function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let at = 1; at <= one.length; at++) {
    const next = [at]
    for (let to = 1; to <= other.length; to++)
      next.push(
        Math.min(
          (next[to - 1] ?? 0) + 1,
          (row[to] ?? 0) + 1,
          (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1),
        ),
      )
    if (Math.min(...next) > most) return most + 1
    row = next
  }
  return row[other.length] ?? most + 1
}
