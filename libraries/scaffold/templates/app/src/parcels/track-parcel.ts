import { defineTool, ToolError } from '@surehand/core'
import { z } from 'zod'
import { parcels } from './parcels.ts'

export const trackParcel = defineTool({
  id: 'parcels.track',
  description: 'Where a parcel is, and the address it goes to.',
  input: z.object({ id: z.string().describe('The number of the parcel, such as p-1') }),
  output: z.object({ id: z.string(), status: z.string(), address: z.string() }),
  contract: { effect: 'read', timeout: '5s', retries: 2, cache: '10s' },
  ports: { parcels },
  async execute({ input, ports, signal }) {
    const parcel = await ports.parcels.find(input, signal)
    if (parcel === undefined)
      throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no parcel ${input.id}.`)
    return parcel
  },
})
