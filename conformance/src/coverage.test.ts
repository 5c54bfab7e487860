import type { Runtime } from '@surehand/core'
import { memoryStores } from '@surehand/core'
import { describe, expect, test } from 'vitest'
import type { Behaviour } from './behaviour.ts'
import { behaviourSuite, type Result, runBehaviour } from './behaviour-suite.ts'
import { BEHAVIOURS } from './behaviours/all.ts'
import { inProcessSurface } from './in-process-surface.ts'
import type { Ability, Surface } from './surface.ts'
import { renderTable } from './table.ts'

// Behaviours that do not apply need not run again: this checks only which ones apply.
function runNarrow(
  behaviour: Behaviour,
  openSurface: (runtime: Runtime) => Surface,
): Promise<Result> {
  return runBehaviour(
    { ...behaviour, run: async () => undefined },
    { openStores: memoryStores, openSurface },
  )
}

const results = behaviourSuite('process', { openStores: memoryStores })

describe('the list of behaviours', () => {
  test('every id is unique and says its subject', () => {
    const ids = BEHAVIOURS.map(({ id }) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    expect(ids.filter((id) => !/^[a-z]+\.[a-z][a-z-]+$/.test(id))).toEqual([])
  })

  test('every sentence is one, and no two are the same', () => {
    const sentences = BEHAVIOURS.map(({ sentence }) => sentence)
    expect(new Set(sentences).size).toBe(sentences.length)
    expect(
      sentences.filter((sentence) => sentence.length < 20 || /^[A-Z]|\.$/.test(sentence)),
    ).toEqual([])
  })

  test('every behaviour has a mutant that changes something, and says what', () => {
    for (const { id, mutant } of BEHAVIOURS) {
      const { breaks, ...changes } = mutant
      expect([breaks.length > 10, Object.keys(changes).length], id).toEqual([true, 1])
    }
  })

  test('every behaviour was run at the in-process surface', () => {
    expect(results.map(({ id }) => id)).toEqual(BEHAVIOURS.map(({ id }) => id))
    expect(results.filter(({ verdict }) => verdict === 'does not apply')).toEqual([])
  })

  test('a surface that can carry less is asked for less', async () => {
    const openSurface = (runtime: Runtime): Surface => ({
      ...inProcessSurface(runtime),
      name: 'narrow',
      can: new Set<Ability>(),
    })
    const narrow = await Promise.all(
      BEHAVIOURS.map((behaviour) => runNarrow(behaviour, openSurface)),
    )
    const left = BEHAVIOURS.filter(({ needs }) => needs.length === 0).map(({ id }) => id)
    expect(
      narrow.filter(({ verdict }) => verdict !== 'does not apply').map(({ id }) => id),
    ).toEqual(left)
    expect(renderTable([...results, ...narrow])).toContain('| – |')
  })

  test('the table has a row for each, and a mark', () => {
    const rows = renderTable(results).split('\n')
    expect(rows).toHaveLength(BEHAVIOURS.length + 2)
    expect(rows.filter((row) => row.endsWith('| ? |'))).toEqual([])
    // npx vitest run conformance/src/coverage.test.ts with SUREHAND_TABLE=1 prints it
    if (process.env.SUREHAND_TABLE) console.log(rows.join('\n'))
  })
})
