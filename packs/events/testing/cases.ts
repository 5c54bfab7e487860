import { type SeededRandom, seededRandom } from '@surehand/testing'
import { fullAnswer } from './answer.ts'
import { makeFacts } from './facts.ts'
import { drawSheet, layOut } from './flyers/draw-flyer.ts'
import { makeFlyer } from './flyers/flyer.ts'
import { LAYOUTS } from './flyers/layouts.ts'
import { makeShot, photograph } from './flyers/photograph.ts'
import type { Kind, Language, MadeCase } from './made-case.ts'
import { PAGE_LAYOUTS } from './pages/layouts.ts'
import { makePage } from './pages/make-page.ts'
import { HELD_OUT_LANGUAGE, makeSentence } from './sentences/make-sentence.ts'

export type CaseOptions = {
  readonly seed: number | string
  /** 120 unless told. */
  readonly count?: number
  readonly kinds?: readonly Kind[]
  readonly layouts?: readonly string[]
  readonly languages?: readonly Language[]
  /** Nothing but the held-out cases, or none of them; unless told, both. */
  readonly heldOut?: 'only' | 'without'
}

type Plan = Pick<MadeCase, 'kind' | 'layout' | 'language' | 'heldOut'> & { readonly turn: number }

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
// a sentence's frame is drawn with it: until then it has none
const NO_LAYOUTS: readonly { readonly name: string; readonly heldOut: boolean }[] = [
  { name: '', heldOut: false },
]

/** Cases with known answers: the same for the same seed, others for another. */
export async function* madeCases(options: CaseOptions): AsyncGenerator<MadeCase> {
  const plans = plansOf(options)
  for (const [index, plan] of plans.entries()) {
    yield await makeCase(`${options.seed}-${index + 1}`, plan)
  }
}

/** Who is made: layouts and languages take turns, so that a hundred cases miss none of them. */
function plansOf({
  seed,
  count = 120,
  kinds = KINDS,
  layouts,
  languages = LANGUAGES,
  heldOut,
}: CaseOptions): readonly Plan[] {
  const chance = seededRandom(`${seed} plan`)
  const wanted = (plan: Plan): boolean =>
    (heldOut === undefined || plan.heldOut === (heldOut === 'only')) &&
    (!layouts || plan.kind === 'sentence' || layouts.includes(plan.layout))
  const open = new Map(
    [...new Set(kinds)].map((kind) => [kind, plansOfKind(kind, languages, chance).filter(wanted)]),
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

/** Every pair of layout and language once, such that neighbours differ in both. */
function plansOfKind(
  kind: Kind,
  languages: readonly Language[],
  chance: SeededRandom,
): readonly Plan[] {
  const layouts = chance.shuffle(layoutsOf(kind))
  const spoken = chance.shuffle(languages)
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

function layoutsOf(kind: Kind): typeof NO_LAYOUTS {
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

async function makeCase(id: string, { turn, ...plan }: Plan): Promise<MadeCase> {
  const chance = seededRandom(id)
  const facts = makeFacts(chance, plan.language)
  const shared = {
    id,
    ...plan,
    region: facts.home.region,
    now: facts.now,
    timeZone: facts.home.timeZone,
  }
  if (plan.kind === 'sentence') {
    const { layout, text, answer } = makeSentence(chance, facts, turn + chance.whole(0, 99))
    return { ...shared, layout, given: { text }, answer }
  }
  if (plan.kind === 'page') {
    const layout = PAGE_LAYOUTS.find(({ name }) => name === plan.layout)
    if (!layout) throw new Error(`No page is laid out as ${plan.layout}.`)
    return { ...shared, ...makePage(chance, facts, layout) }
  }
  const layout = LAYOUTS.find(({ name }) => name === plan.layout)
  if (!layout) throw new Error(`No flyer is laid out as ${plan.layout}.`)
  const picture = await drawSheet(layOut(chance, makeFlyer(chance, facts), layout))
  const image =
    plan.kind === 'photo' ? await photograph(picture, makeShot(chance), chance) : picture
  return { ...shared, given: { image }, answer: fullAnswer(facts) }
}
