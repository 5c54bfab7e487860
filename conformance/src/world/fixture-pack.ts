import { definePack } from '@surehand/core'
import { entitled, guardedTools, mine } from './identity.ts'
import { addNoteTool } from './notes.ts'
import { pay, questions } from './questions.ts'
import { goto, lookSecretly, readTools, report } from './reads.ts'
import { runs } from './runs.ts'
import { checked, oddNames, takers } from './traps.ts'
import { careless, clumsy, keyFields, makers, placeSlowly, spoken } from './writes.ts'

/** Tools that exercise everything a contract can say. */
export const fixturePack = definePack({
  name: 'conformance',
  tools: [
    ...readTools,
    goto,
    lookSecretly,
    report,
    ...makers,
    placeSlowly,
    careless,
    clumsy,
    spoken,
    ...keyFields,
    ...questions,
    pay,
    ...guardedTools,
    entitled,
    mine,
    ...oddNames,
    ...takers,
    checked,
    addNoteTool,
    ...runs,
  ],
})
