import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, detailsOf, listEffects } from '../judge.ts'
import { brokenCaller, brokenContract, brokenRequest, brokenTool } from '../mutants/broken.ts'
import { forgetsTheAgent } from '../mutants/known.ts'
import { agentOf, ann, anonymous, person } from '../world/people.ts'

const who = (tool: string) => ({ tool, input: {} })

/** On whose behalf a call is made, and what they may. */
export const identity: readonly Behaviour[] = [
  {
    id: 'rights.role',
    sentence: 'a tool for some roles is open to those roles and to the roles that include them',
    rules: '§2',
    needs: [],
    mutant: brokenContract('rights.role', 'a contract open to every role', () => ({ roles: [] })),
    async run(world) {
      const words = []
      for (const roles of [[], ['user'], ['power_user'], ['admin'], ['constructor']])
        words.push(
          codeOrStatus(
            await world.call({ ...who('rights.role'), caller: person('ann', { roles }) }),
          ),
        )
      expect(words).toEqual([
        'TOOL_ROLE_NOT_AUTHORIZED',
        'TOOL_ROLE_NOT_AUTHORIZED',
        'success',
        'success',
        'TOOL_ROLE_NOT_AUTHORIZED',
      ])
    },
  },
  {
    id: 'rights.capability',
    sentence: 'a missing capability is refused by name, with a way to get it',
    rules: '§2',
    needs: [],
    mutant: brokenContract('rights.capability', 'a contract that asks for nothing', () => ({
      capabilities: [],
    })),
    async run(world) {
      const refused = await world.call(who('rights.capability'))
      expect([
        refused.status,
        codeOrStatus(refused),
        detailsOf(refused).missing_capabilities,
      ]).toEqual(['failed', 'TOOL_CAPABILITY_MISSING', ['lamps.read']])
      expect(refused.error?.recovery_suggestions?.join()).toContain('lamps.read')
      const granted = await world.call({
        ...who('rights.capability'),
        caller: person('ann', { capabilities: ['lamps.read'] }),
      })
      expect([codeOrStatus(granted), granted.metadata.tool_info.permissions_used]).toEqual([
        'success',
        ['lamps.read'],
      ])
    },
  },
  {
    id: 'rights.scope',
    sentence: 'a capability over some data is not the same capability over all of it',
    rules: '§2',
    needs: [],
    mutant: brokenContract('rights.scoped', 'a contract that asks for no scope', () => ({
      capabilities: [{ name: 'lamps.read' }],
    })),
    async run(world) {
      const caller = (scope: string) =>
        person('ann', { capabilities: [{ name: 'lamps.read', scope }] })
      expect(
        codeOrStatus(await world.call({ ...who('rights.scoped'), caller: caller('all') })),
      ).toBe('success')
      expect(
        codeOrStatus(await world.call({ ...who('rights.scoped'), caller: caller('own') })),
      ).toBe('TOOL_CAPABILITY_MISSING')
    },
  },
  {
    id: 'rights.default-delegation',
    sentence: "an agent's default delegation leaves out destructive capabilities",
    rules: '§1',
    needs: [],
    mutant: forgetsTheAgent,
    async run(world) {
      const power = person('ann', { roles: ['power_user'] })
      for (const tool of ['rights.habitDelete', 'rights.projectWrite']) {
        expect(codeOrStatus(await world.call({ ...who(tool), caller: power })), tool).toBe(
          'success',
        )
        expect(codeOrStatus(await world.call({ ...who(tool), caller: agentOf(power) })), tool).toBe(
          'TOOL_CAPABILITY_MISSING',
        )
      }
      const handed = agentOf(power, { delegated: ['habit.delete'] })
      expect(codeOrStatus(await world.call({ ...who('rights.habitDelete'), caller: handed }))).toBe(
        'success',
      )
      expect(
        codeOrStatus(await world.call({ ...who('rights.projectWrite'), caller: handed })),
      ).toBe('TOOL_CAPABILITY_MISSING')
    },
  },
  {
    id: 'rights.delegation-never-widens',
    sentence: "a delegation never exceeds the principal's rights",
    rules: '§1',
    needs: [],
    mutant: brokenCaller('a surface that treats a delegation as a grant', (caller) => ({
      ...caller,
      capabilities: [...caller.capabilities, ...(caller.delegated ?? [])],
    })),
    async run(world) {
      const caller = agentOf(ann, { delegated: ['lamps.read', '*'] })
      expect(codeOrStatus(await world.call({ ...who('rights.capability'), caller }))).toBe(
        'TOOL_CAPABILITY_MISSING',
      )
    },
  },
  {
    id: 'rights.session',
    sentence: 'a tool that needs a session is refused without one',
    rules: '§2',
    needs: [],
    mutant: brokenCaller('a surface that makes up sessions', (caller) => ({
      ...caller,
      session: 'made up',
    })),
    async run(world) {
      const { session, ...without } = ann
      const refused = await world.call({ ...who('rights.session'), caller: without })
      expect([codeOrStatus(refused), detailsOf(refused).required_auth]).toEqual([
        'TOOL_INSUFFICIENT_PERMISSIONS',
        'session',
      ])
      expect([session, codeOrStatus(await world.call(who('rights.session')))]).toEqual([
        'session of ann',
        'success',
      ])
    },
  },
  {
    id: 'rights.service',
    sentence: 'a tool that needs a token is refused to anonymous callers',
    rules: '§2',
    needs: [],
    mutant: brokenCaller('a surface that invents a principal for anonymous callers', (caller) =>
      caller.principal === anonymous.principal ? { ...caller, principal: 'guest' } : caller,
    ),
    async run(world) {
      expect(codeOrStatus(await world.call({ ...who('rights.service'), caller: anonymous }))).toBe(
        'TOOL_INSUFFICIENT_PERMISSIONS',
      )
      expect(codeOrStatus(await world.call(who('rights.service')))).toBe('success')
    },
  },
  {
    id: 'caller.own-fields',
    sentence: "user and session fields of an input are the caller's, whatever a model wrote there",
    rules: '§1',
    needs: [],
    mutant: brokenTool('me.make', 'a tool that believes its input', () => ({
      fromCaller: new Map(),
    })),
    async run(world) {
      const input = { item: 'lamp', owner: 'root', sessionId: 'stolen', company: 'globex' }
      expect(codeOrStatus(await world.call({ tool: 'me.make', input }))).toBe('success')
      expect(world.emulator.effects[0]?.args).toMatchObject({
        owner: 'ann',
        sessionId: 'session of ann',
        company: 'acme',
      })
      expect(codeOrStatus(await world.call({ tool: 'me.make', input: { item: 'chair' } }))).toBe(
        'success',
      )
    },
  },
  {
    id: 'caller.not-in-the-input',
    sentence: 'nothing in an input sets or widens who is calling',
    rules: '§1',
    needs: [],
    mutant: brokenRequest('a surface that reads the caller from the input', (request) => ({
      ...request,
      caller: { ...request.caller, ...(request.input as object) },
    })),
    async run(world) {
      const input = {
        tenant: 'globex',
        principal: 'root',
        roles: ['admin'],
        capabilities: ['*'],
        actor: 'system',
        caller: { principal: 'root' },
      }
      expect((await world.call({ tool: 'rights.service', input })).data).toEqual({
        principal: 'ann',
        tenant: 'acme',
      })
      expect(codeOrStatus(await world.call({ tool: 'rights.role', input }))).toBe(
        'TOOL_ROLE_NOT_AUTHORIZED',
      )
      expect(listEffects(world)).toEqual([])
    },
  },
]
