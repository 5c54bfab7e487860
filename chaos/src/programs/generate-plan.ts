import { TENANTS } from '../clients/planned-call.ts'
import type { Step, Write } from '../pack/program.ts'
import { RECOVERY_KINDS, type RecoveryKind } from '../pack/recovery-kind.ts'
import { createRandom, type Random } from '../random.ts'
import type { Plan } from './plan.ts'

const ABOUT_STEPS = 10
const DEEPEST = 3
const OUTSIDE: readonly [RecoveryKind, ...RecoveryKind[]] = ['sameKey', 'lookUp', 'none']
const WORDS = ['yes', 'yes', 'no', 'blue', 'green'] as const

/**
 * Generates a program of about ten steps; the people in it always answer the same at the same
 * place.
 */
export function generatePlan(number: number, random: Random): Plan {
  const id = `p${number}`
  const seed = random.between(0, 2 ** 31)
  const chanceAt = (place: string): Random => createRandom(seed ^ hashOf(place))
  return {
    program: { id, step: { do: 'sequence', steps: generateSteps(ABOUT_STEPS, 1, random) } },
    who: {
      tenant: TENANTS[number % TENANTS.length] ?? TENANTS[0],
      principal: `person-${number % 7}`,
    },
    key: `key-${id}`,
    answerAt: (place) => chanceAt(place).pick(WORDS),
    verdictAt: (place) => (chanceAt(`${place}?`).isLikely(0.15) ? 'deny' : 'approve'),
    isMisunderstoodAt: (place) => chanceAt(`${place}!`).isLikely(0.2),
  }
}

/** Generates `budget` steps, some of them nested. */
function generateSteps(budget: number, depth: number, random: Random): readonly Step[] {
  const steps: Step[] = []
  for (let left = budget; left > 0; ) {
    const inside =
      depth < DEEPEST && left > 2 && random.isLikely(0.4)
        ? random.between(2, Math.min(left, 6) + 1)
        : 1
    steps.push(
      inside === 1 ? generateSimpleStep(random) : generateNestedStep(inside, depth + 1, random),
    )
    left -= inside
  }
  return steps
}

function generateNestedStep(budget: number, depth: number, random: Random): Step {
  const atMost = random.between(1, 4)
  const sequence = (size: number): Step => ({
    do: 'sequence',
    steps: generateSteps(size, depth, random),
  })
  switch (random.pick(['sequence', 'parallel', 'parallel', 'loop', 'ask'] as const)) {
    case 'sequence':
      return sequence(budget)
    case 'parallel':
      return {
        do: 'parallel',
        atMost,
        steps: [
          sequence(Math.ceil(budget / 2)),
          sequence(Math.floor(budget / 2)),
          generateSimpleStep(random),
        ],
      }
    case 'loop':
      return {
        do: 'loop',
        atMost,
        items: ['a', 'b', 'c'].slice(0, random.between(2, 4)),
        step: sequence(Math.ceil(budget / 3)),
      }
    case 'ask':
      return { do: 'ask', ways: [sequence(budget - 1), sequence(1)] }
  }
}

function generateSimpleStep(random: Random): Step {
  if (random.isLikely(0.12)) return { do: 'read' }
  if (random.isLikely(0.1)) return { do: 'moment' }
  if (random.isLikely(0.12)) return { do: 'ask', ways: null }
  if (random.isLikely(0.05))
    return {
      do: 'try',
      step: { ...generateWrite(random), kind: random.pick(OUTSIDE), isRefused: true },
    }
  const write = generateWrite(random)
  return random.isLikely(0.03) ? { ...write, kind: random.pick(OUTSIDE), isRefused: true } : write
}

function generateWrite(random: Random): Write {
  const kind = random.pick(RECOVERY_KINDS)
  const manner = random.pick([
    'patient',
    'patient',
    'patient',
    'patient',
    'patientJob',
    'patientApproval',
  ] as const)
  const undo = random.isLikely(0.6) ? random.pick(RECOVERY_KINDS) : null
  return { do: 'write', kind, manner, undo, isRefused: false, changesWithCode: false }
}

function hashOf(text: string): number {
  let hash = 0
  for (const letter of text) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0
  return hash
}
