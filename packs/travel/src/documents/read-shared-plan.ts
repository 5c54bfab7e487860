import { defineTool, ToolError } from '@surehand/core'
import { z } from 'zod'
import { internalPermissions } from '../internal-contract.ts'
import { geocoderPort } from '../maps/maps-ports.ts'
import { plansPort } from '../plans/plans-port.ts'
import { sharesPort } from '../shares/shares-port.ts'
import { staysPort } from '../stays/stays-port.ts'
import { townsPort } from './towns-port.ts'
import { PlanDocument, writeDocument } from './write-document.ts'

/** What the page of a shared link calls. */
export const readSharedPlan = defineTool({
  id: 'travel.readSharedPlan',
  title: 'Read a shared plan',
  category: 'travel',
  description: 'Reads a plan by the token of its shared link. Part of the page of the link.',
  input: z.object({ token: z.string().min(1).max(200) }),
  output: PlanDocument,
  contract: { effect: 'read', permissions: internalPermissions, timeout: '20s' },
  ports: {
    shares: sharesPort,
    plans: plansPort,
    stays: staysPort,
    geocoder: geocoderPort,
    towns: townsPort,
  },
  examples: [{ name: 'a link', input: { token: 'token-1' } }],
  execute: async ({ input: { token }, caller, ports, now, signal }) => {
    const opened = await ports.shares.open({ tenant: caller.tenant, token, nowMs: now() }, signal)
    // Missing, expired and revoked must look the same.
    if (opened === undefined)
      throw new ToolError('TOOL_RESOURCE_NOT_FOUND', 'This link does not lead to a plan.')
    const { userId, planId } = opened
    return writeDocument(
      { tenant: caller.tenant, userId },
      { planId, format: 'html', page: { isShared: true }, nowMs: now() },
      { ports, signal },
    )
  },
})
