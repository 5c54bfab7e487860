import { type SeededRandom, seededRandom } from '@surehand/testing'
import { fullAnswer } from './answer.ts'
import { makeFacts } from './facts.ts'
import { drawSheet, layOut } from './flyers/draw-flyer.ts'
import { makeFlyer } from './flyers/flyer.ts'
import { LAYOUTS } from './flyers/layouts.ts'
import { makeShot, photograph } from './flyers/photograph.ts'
import type { GeneratedCase, Kind, Language } from './generated-case.ts'
import { PAGE_LAYOUTS } from './pages/layouts.ts'
import { makePage } from './pages/make-page.ts'
import { HELD_OUT_LANGUAGE, makeSentence } from './sentences/make-sentence.ts'

export type CaseOptions = {
  readonly seed: number | string
  /** 120 by default. */
  readonly count?: number
  readonly kinds?: readonly Kind[]
  readonly layouts?: readonly string[]
  readonly languages?: readonly Language[]
  /** Only the held-out cases, or none of them; both by default. */
  readonly heldOut?: 'only' | 'without'
}

type Plan = Pick<GeneratedCase, 'kind' | 'layout' | 'language' | 'heldOut'> & {
  readonly turn: number
}

const KINDS: readonly Kind[] = [
  'flyer',
  'sentence',
  'page',
  'photo',
  'sentence',
  'flyer',
  'page',
  'flyer',
  'sentence',
  'photo',
]
const LANGUAGES: readonly Language[] = ['en', 'de', 'fr', 'es']
// The template of a sentence is chosen with the sentence, so its plan has no layout.
const NO_LAYOUTS: readonly { readonly name: string; readonly heldOut: boolean }[] = [
  { name: '', heldOut: false },
]

/** Generates cases with known answers; the same seed gives the same cases. */
export async function* generateCases(options: CaseOptions): AsyncGenerator<GeneratedCase> {
  const plans = planCases(options)
  for (const [index, plan] of plans.entries()) {
    yield await makeCase(`${options.seed}-${index + 1}`, plan)
  }
}

/** Plans the cases: layouts and languages alternate, so that a hundred cases cover all of them. */
function planCases({
  seed,
  count = 120,
  kinds = KINDS,
  layouts,
  languages = LANGUAGES,
  heldOut,
}: CaseOptions): readonly Plan[] {
  const random = seededRandom(`${seed} plan`)
  const isSelected = (plan: Plan): boolean =>
    (heldOut === undefined || plan.heldOut === (heldOut === 'only')) &&
    (!layouts || plan.kind === 'sentence' || layouts.includes(plan.layout))
  const open = new Map(
    [...new Set(kinds)].map((kind) => [kind, planKind(kind, languages, random).filter(isSelected)]),
  )
  const order = KINDS.filter((kind) => open.get(kind)?.length)
  if (order.length === 0) throw new Error('These options leave no case to make.')
  const turns = new Map<Kind, number>()
  return Array.from(
    { length: count },
    (_, index) => order[index % order.length] ?? 'sentence',
  ).flatMap((kind) => {
    const turn = turns.get(kind) ?? 0
    turns.set(kind, turn + 1)
    const plans = open.get(kind) ?? []
    return plans
      .slice(turn % plans.length, (turn % plans.length) + 1)
      .map((plan) => ({ ...plan, turn }))
  })
}

/** Every pair of layout and language once, so that neighbours differ in both. */
function planKind(
  kind: Kind,
  languages: readonly Language[],
  random: SeededRandom,
): readonly Plan[] {
  const layouts = random.shuffle(listLayouts(kind))
  const spoken = random.shuffle(languages)
  return spoken.flatMap((_, round) =>
    layouts.flatMap(({ name, heldOut }, index) => {
      const language = spoken[(index + round) % spoken.length]
      if (language === undefined) return []
      return [
        {
          kind,
          layout: name,
          language,
          heldOut: heldOut || (kind === 'sentence' && language === HELD_OUT_LANGUAGE),
          turn: 0,
        },
      ]
    }),
  )
}

function listLayouts(kind: Kind): typeof NO_LAYOUTS {
  switch (kind) {
    case 'flyer':
    case 'photo':
      return LAYOUTS
    case 'page':
      return PAGE_LAYOUTS.map(({ name }) => ({ name, heldOut: false }))
    case 'sentence':
      return NO_LAYOUTS
  }
}

async function makeCase(id: string, { turn, ...plan }: Plan): Promise<GeneratedCase> {
  const random = seededRandom(id)
  const facts = makeFacts(random, plan.language)
  const shared = {
    id,
    ...plan,
    region: facts.home.region,
    now: facts.now,
    timeZone: facts.home.timeZone,
  }
  if (plan.kind === 'sentence') {
    const { layout, text, answer } = makeSentence(random, facts, turn + random.whole(0, 99))
    return { ...shared, layout, given: { text }, answer }
  }
  if (plan.kind === 'page') {
    const layout = PAGE_LAYOUTS.find(({ name }) => name === plan.layout)
    if (!layout) throw new Error(`No page is laid out as ${plan.layout}.`)
    return { ...shared, ...makePage(random, facts, layout) }
  }
  const layout = LAYOUTS.find(({ name }) => name === plan.layout)
  if (!layout) throw new Error(`No flyer is laid out as ${plan.layout}.`)
  const picture = await drawSheet(layOut(random, makeFlyer(random, facts), layout))
  const image =
    plan.kind === 'photo' ? await photograph(picture, makeShot(random), random) : picture
  return { ...shared, given: { image }, answer: fullAnswer(facts) }
}
