import { expect } from 'vitest'
import { aCall, anEntry, aQuestion, deniedByPerson } from './samples.ts'
import type { Promises } from './suite.ts'

const record = anEntry(aCall(), { phase: 'decision', outcome: 'delegated' })
const toBen = { to: 'ben', by: 'ann' }

/** Whom a request was delegated to, and the mark of what waits. */
export const delegating: Promises = {
  'a delegation is stored with a pending request, and the last one counts': async ({ stores }) => {
    const call = aCall()
    const { id } = aQuestion(call)
    await stores.approvals.ask(aQuestion(call, { id }), call)
    await stores.approvals.delegate(call.tenant, id, { to: 'cem', by: 'ann' }, record)
    const delegated = await stores.approvals.delegate(call.tenant, id, toBen, anEntry(aCall()))
    expect(delegated).toMatchObject({ kind: 'decided', approval: { delegation: toBen } })
    const [listed] = await stores.approvals.list(call.tenant, 'pending')
    expect(listed).toEqual('approval' in delegated ? delegated.approval : undefined)
    expect(await stores.approvals.get(call.tenant, id)).toEqual(listed)
  },
  'a request that is decided or of another tenant is not delegated': async ({ stores }) => {
    const call = aCall()
    const question = aQuestion(call)
    await stores.approvals.ask(question, call)
    const foreign = await stores.approvals.delegate('globex', question.id, toBen, record)
    await stores.approvals.decide(call.tenant, question.id, deniedByPerson, record)
    const late = await stores.approvals.delegate(call.tenant, question.id, toBen, anEntry(aCall()))
    expect([foreign.kind, late.kind]).toEqual(['missing', 'closed'])
    expect((await stores.approvals.get(call.tenant, question.id))?.delegation).toBeUndefined()
  },
  'the mark changes with every request that comes, goes or is delegated, for those who see it':
    async ({ stores, advance }) => {
      const marks = async () => [
        await stores.approvals.waitingMark('acme'),
        await stores.approvals.waitingMark('acme', 'ann'),
        await stores.approvals.waitingMark('acme', 'bob'),
        await stores.approvals.waitingMark('globex'),
      ]
      const compareMarks = async (work: () => unknown) => {
        const before = await marks()
        await work()
        return (await marks()).map((mark, index) => mark !== before[index])
      }
      const theirs = [true, true, false, false]
      const call = aCall({ principal: 'ann' })
      const question = aQuestion(call)
      expect(await compareMarks(() => undefined)).toEqual([false, false, false, false])
      expect(await compareMarks(() => stores.approvals.ask(question, call))).toEqual(theirs)
      expect(
        await compareMarks(() => stores.approvals.delegate('acme', question.id, toBen, record)),
      ).toEqual(theirs)
      expect(
        await compareMarks(() =>
          stores.approvals.decide('acme', question.id, deniedByPerson, anEntry(aCall())),
        ),
      ).toEqual(theirs)
      const other = aCall({ principal: 'bob', inputHash: 'b'.repeat(64) })
      await stores.approvals.ask(aQuestion(other), other)
      expect(await compareMarks(() => advance(60_000))).toEqual([true, false, true, false])
    },
  'requests are listed by tool and time': async ({ stores, now }) => {
    const [first, second] = [aCall(), aCall({ toolId: 'other.tool', inputHash: 'b'.repeat(64) })]
    for (const call of [first, second]) await stores.approvals.ask(aQuestion(call), call)
    const list = async (filter: object) =>
      (await stores.approvals.list('acme', undefined, filter)).map(({ callId }) => callId)
    expect(await list({ toolId: 'other.tool' })).toEqual([second.callId])
    const MINUTE = 60_000
    expect(await list({ since: now() - MINUTE, until: now() + MINUTE })).toHaveLength(2)
    expect(await list({ since: now() + MINUTE })).toEqual([])
    expect(await list({ until: now() - MINUTE })).toEqual([])
  },
}
